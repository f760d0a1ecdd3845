// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelCache.h"

#include "KernelSource.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

using namespace llvm;

namespace blockmaestro {

namespace {

/// So many block shapes of a kernel get code of their own.
constexpr unsigned LargestShapeCount = 4;

bool samePurpose(const KernelVariant &A, const KernelVariant &B) {
  return A.Counts == B.Counts && A.Observed == B.Observed;
}

/// Tells two builds of this library apart: its own bytes.
uint64_t libraryHash() {
  Dl_info About;
  if (!dladdr(reinterpret_cast<void *>(&libraryHash), &About))
    return 0;
  auto File = MemoryBuffer::getFile(About.dli_fname, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  return File ? xxh3_64bits((*File)->getBuffer()) : 0;
}

/// Everything about \p Record that its code depends on besides its module.
std::string describe(const KernelRecord &Record) {
  std::string Text = " " + std::to_string(Record.ArgumentBytes);
  for (const Parameter &P : Record.Parameters)
    Text += " " + std::to_string(P.Offset) + ":" + std::to_string(P.Bytes);
  return Text;
}

Status noVariable(const std::string &Symbol) {
  return Status(StatusCode::NotFound,
                "no device module of the program has the variable '" + Symbol +
                    "'");
}

} // namespace

void KernelCache::addModules(const std::vector<const ModuleRecord *> &Linked) {
  std::lock_guard<std::mutex> Guard(Lock);
  Modules.add(Linked);
}

KernelCache::Variants &KernelCache::variantsOf(const KernelRecord &Record) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::unique_ptr<Variants> &Slot = Kernels[&Record];
  if (!Slot)
    Slot = std::make_unique<Variants>();
  return *Slot;
}

const CompiledKernel &KernelCache::get(const Launch &What, Counting Counts) {
  KernelVariant Wanted{Counts, Observer != nullptr, {}};
  for (unsigned D = 0; D < 3; ++D)
    Wanted.Shape.Extent[D] = What.Block[D];
  Variants &All = variantsOf(*What.Kernel);
  std::lock_guard<std::mutex> Guard(All.Compiling);
  const bool Long = uint64_t(What.Grid[0]) * What.Block[0] > LargestLine;
  unsigned Shapes = 0;
  for (std::unique_ptr<CompiledKernel> &Known : All.Known) {
    if (!samePurpose(Known->Variant, Wanted))
      continue;
    const bool Came = Known->NoModule;
    if (Came)
      compile(*What.Kernel, *Known);
    const bool Fits =
        Known->fits(What.Block) && !(Long && Known->Variant.Shape.known());
    if (Came || Fits)
      return *Known;
    ++Shapes;
  }
  if (Shapes >= LargestShapeCount || Long)
    Wanted.Shape = {};
  All.Known.push_back(std::make_unique<CompiledKernel>());
  All.Known.back()->Variant = Wanted;
  compile(*What.Kernel, *All.Known.back());
  return *All.Known.back();
}

void KernelCache::compile(const KernelRecord &Record, CompiledKernel &Out) {
  std::optional<unsigned> Ordinal;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Ordinal = Modules.ordinalOf(Record);
  }
  Out.NoModule = !Ordinal;
  if (Ordinal)
    Out.Refused = compileFrom(*Ordinal, Record, Out);
  else
    Out.Refused = Status(StatusCode::NotFound,
                         "no device module of the program has the kernel '" +
                             Record.Symbol + "'");
  if (!Out.Refused.ok() || Out.Form == KernelForm::Fibers)
    Out.Variant.Shape = {};
}

Status KernelCache::compileFrom(unsigned Ordinal, const KernelRecord &Record,
                                CompiledKernel &Out) {
  std::string Entry = entryName(Ordinal, Record, Out.Variant);
  Result<CompiledUnit> Unit = obtain(Entry + describe(Record), [&] {
    return compileKernel(Modules, *Host, Ordinal, Record, Out.Variant);
  });
  if (!Unit.ok())
    return Unit.status();
  std::lock_guard<std::mutex> Guard(Linking);
  if (Status S = install(*Unit); !S.ok())
    return Status(S.code(),
                  "kernel '" + Record.Name +
                      "' cannot run on the emulated device: " + S.message());
  Result<uint64_t> Address = Host->lookup(Entry);
  if (!Address.ok())
    return Address.status();
  keepInitials();
  static_cast<KernelFacts &>(Out) = std::move(Unit->Facts);
  if (Out.Form == KernelForm::Fibers)
    Out.Thread = reinterpret_cast<ThreadFunctionType>(*Address);
  else
    Out.Run = reinterpret_cast<BlockFunctionType>(*Address);
  return Status();
}

/// What all code of the program depends on: its modules and which of them are
/// linked together, this library, the processor.
std::string KernelCache::programKey() {
  static const uint64_t Library = libraryHash();
  std::lock_guard<std::mutex> Guard(Lock);
  for (unsigned Ordinal = Hashes.size(); Ordinal < Modules.count(); ++Ordinal)
    Hashes.push_back(xxh3_64bits(Modules.record(Ordinal).Bitcode));
  std::string Key = Host->description() + " " + std::to_string(Library);
  for (unsigned Ordinal = 0; Ordinal < Hashes.size(); ++Ordinal)
    Key += (Modules.startsUnit(Ordinal) ? " " : "+") +
           std::to_string(Hashes[Ordinal]);
  return Key;
}

/// The unit \p What from disk, or compiled and stored there.
Result<CompiledUnit>
KernelCache::obtain(const std::string &What,
                    const std::function<Result<CompiledUnit>()> &Compile) {
  if (!Disk.enabled())
    return Compile();
  std::string Key = programKey() + " " + What;
  if (std::optional<std::string> Bytes = Disk.load(Key))
    if (std::optional<CompiledUnit> Unit = decode(*Bytes))
      return std::move(*Unit);
  Result<CompiledUnit> Unit = Compile();
  if (Unit.ok())
    Disk.store(Key, encode(*Unit));
  return Unit;
}

/// Notes what the new variables hold, before any code that could write them
/// runs, and tells the observer where they are. Only now is everything linked
/// that their initialisers may refer to. One that cannot be linked has no user.
void KernelCache::keepInitials() {
  for (const DefinedVariable &Each : NewVariables) {
    Result<uint64_t> Address = Host->lookup(Each.Name);
    if (!Address.ok())
      continue;
    if (Observer)
      Observer->memory(demangle(splitGlobalName(Each.Name).first), *Address,
                       Each.Bytes, Each.Constant);
    if (Each.Constant)
      continue;
    InitialValue New{reinterpret_cast<uint8_t *>(*Address), Each.Bytes, {}};
    if (std::any_of(New.Address, New.Address + New.Bytes,
                    [](uint8_t Byte) { return Byte != 0; }))
      New.Value.assign(reinterpret_cast<const char *>(New.Address), New.Bytes);
    Initials.push_back(std::move(New));
  }
  NewVariables.clear();
}

void KernelCache::resetVariables() {
  std::lock_guard<std::mutex> Guard(Linking);
  for (const InitialValue &Each : Initials)
    if (Each.Value.empty())
      std::memset(Each.Address, 0, Each.Bytes);
    else
      std::memcpy(Each.Address, Each.Value.data(), Each.Bytes);
}

/// Links \p Unit and everything it needs.
Status KernelCache::install(const CompiledUnit &Unit) {
  for (const DefinedVariable &Each : Unit.Variables) {
    Provided[Each.Name] = Each.Bytes;
    NewVariables.push_back(Each);
  }
  if (!Unit.Object.empty())
    if (Status S = Host->add(Unit.Object); !S.ok())
      return S;
  for (const std::string &Name : Unit.Needs)
    if (Status S = provide(Name); !S.ok())
      return S;
  return Status();
}

/// Links the function or variable \p Name, once.
Status KernelCache::provide(const std::string &Name) {
  if (Provided.count(Name))
    return Status();
  return isFunctionName(Name) ? provideFunction(Name) : provideGlobal(Name);
}

Status KernelCache::provideFunction(const std::string &Name) {
  auto [Symbol, Ordinal] = splitFunctionName(Name);
  Result<CompiledUnit> Unit =
      obtain((Observer ? "observed " : "") + Name, [&, this] {
        return compileFunction(Modules, *Host, Ordinal, Symbol,
                               Observer != nullptr);
      });
  if (!Unit.ok())
    return Unit.status();
  Provided.try_emplace(Name);
  return install(*Unit);
}

/// Defines the variable \p Name, together with all others of its module or, if
/// it holds functions, alone.
Status KernelCache::provideGlobal(const std::string &Name) {
  auto [Symbol, Owner] = splitGlobalName(Name);
  if (!Owner || *Owner >= Modules.count())
    return noVariable(Symbol);
  if (Status S = defineGlobals(*Owner); !S.ok() || Provided.count(Name))
    return S;
  Result<CompiledUnit> Unit = obtain(Name, [&, this] {
    return compileGlobals(Modules, *Host, *Owner, Symbol);
  });
  if (!Unit.ok())
    return Unit.status();
  if (Status S = install(*Unit); !S.ok())
    return S;
  return Provided.count(Name) ? Status() : noVariable(Symbol);
}

Status KernelCache::defineGlobals(unsigned Ordinal) {
  if (!GlobalsDefined.insert(Ordinal).second)
    return Status();
  Result<CompiledUnit> Unit =
      obtain("variables " + std::to_string(Ordinal), [&, this] {
        return compileGlobals(Modules, *Host, Ordinal, std::nullopt);
      });
  return Unit.ok() ? install(*Unit) : Unit.status();
}

/// What module \p Ordinal calls \p Symbol.
Result<Allocation> KernelCache::variableOf(unsigned Ordinal,
                                           const std::string &Symbol) {
  const std::vector<GlobalRecord> &Own = Modules.record(Ordinal).Globals;
  const bool Internal =
      std::any_of(Own.begin(), Own.end(), [&](const GlobalRecord &Each) {
        return Each.Symbol == Symbol && Each.Internal;
      });
  std::optional<unsigned> Owner;
  if (!Internal)
    Owner = Modules.definerOf(Symbol, Ordinal);
  const std::string Name = globalName(Symbol, Owner.value_or(Ordinal));
  if (Status S = provide(Name); !S.ok())
    return S;
  Result<uint64_t> Address = Host->lookup(Name);
  keepInitials();
  if (!Address.ok())
    return Address.status();
  return Allocation{*Address, Provided[Name]};
}

Result<Allocation> KernelCache::findGlobal(const std::string &Symbol,
                                           const ModuleRecord *Of) {
  std::lock_guard<std::mutex> Guard(Linking);
  Result<Allocation> Found =
      Status(StatusCode::NotFound, "the program has no device module");
  for (unsigned Ordinal = 0; Ordinal < Modules.count(); ++Ordinal) {
    if (Of && Of != &Modules.record(Ordinal))
      continue;
    Found = variableOf(Ordinal, Symbol);
    if (Found.ok() || Found.status().code() != StatusCode::NotFound)
      break;
  }
  return Found;
}

} // namespace blockmaestro
