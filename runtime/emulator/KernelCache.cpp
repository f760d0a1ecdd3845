// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelCache.h"

#include "BlockFunction.h"
#include "Costs.h"
#include "DeviceGlobals.h"
#include "DeviceLibrary.h"
#include "KernelSource.h"
#include "Refusal.h"
#include "Retarget.h"
#include "SharedMemory.h"
#include "WarpLowering.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Whether the recorded parameters are those of \p Kernel, so that reading the
/// argument block by them is sound.
bool parametersMatch(const Function &Kernel, const KernelRecord &Record) {
  if (Kernel.arg_size() != Record.Parameters.size())
    return false;
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  for (const Argument &A : Kernel.args()) {
    const Parameter &P = Record.Parameters[A.getArgNo()];
    Type *T = A.hasByValAttr() ? A.getParamByValType() : A.getType();
    if (Layout.getTypeStoreSize(T) > P.Bytes ||
        uint64_t(P.Offset) + P.Bytes > Record.ArgumentBytes)
      return false;
  }
  return true;
}

/// Makes \p T callable from outside as \p Name.
void exportEntry(ThreadCode &T, const std::string &Name) {
  if (T.Form != KernelForm::Fibers) {
    makeBlockFunction(*T.Body, Name);
    return;
  }
  T.Body->setName(Name);
  T.Body->setLinkage(GlobalValue::ExternalLinkage);
}

/// The functions and variables of other compiled modules that \p M needs.
std::vector<std::string> neededBy(const Module &M) {
  std::vector<std::string> Names;
  for (const GlobalValue &G : M.global_values())
    if ((G.isDeclaration() || G.hasAvailableExternallyLinkage()) &&
        !G.use_empty() &&
        (isFunctionName(G.getName()) || isGlobalName(G.getName())))
      Names.push_back(G.getName().str());
  return Names;
}

} // namespace

void KernelCache::addModule(const ModuleRecord *M) {
  std::lock_guard<std::mutex> Guard(Lock);
  Modules.add(M);
}

const CompiledKernel &KernelCache::get(const KernelRecord &Record,
                                       bool Counted) {
  std::lock_guard<std::mutex> Guard(Lock);
  std::unique_ptr<CompiledKernel> &Slot = Kernels[{&Record, Counted}];
  if (!Slot)
    Slot = std::make_unique<CompiledKernel>();
  bool Known = Slot->Run || Slot->Thread;
  if (!Known &&
      (Slot->Refused.ok() || Slot->Refused.code() == StatusCode::NotFound))
    compile(Record, Counted, *Slot);
  return *Slot;
}

void KernelCache::compile(const KernelRecord &Record, bool Counted,
                          CompiledKernel &Out) {
  if (std::optional<unsigned> Ordinal = Modules.ordinalOf(Record)) {
    Out.Refused = compileFrom(*Ordinal, Record, Counted, Out);
    return;
  }
  Out.Refused = Status(StatusCode::NotFound,
                       "no device module of the program has the kernel '" +
                           Record.Symbol + "'");
}

Status KernelCache::compileFrom(unsigned Ordinal, const KernelRecord &Record,
                                bool Counted, CompiledKernel &Out) {
  auto Context = std::make_unique<LLVMContext>();
  Result<KernelSource> Source =
      linkReached(Modules, Ordinal, Record.Symbol, *Context, Host->target());
  if (!Source.ok())
    return Source.status();
  Function &Root = *Source->Root;
  canonicalize(Root);
  if (!parametersMatch(Root, Record))
    return Status(StatusCode::Corrupt,
                  "the recorded parameters of kernel '" + Record.Name +
                      "' are not those of its device code");
  ThreadCode Thread;
  Thread.Form = formOf(Root);
  if (Counted)
    Out.Weights = markVisits(*Source->M);
  retarget(Root, &Record, Out.Weights.size(), Thread);
  lowerWarps(Thread);
  lowerLibrary(Thread);
  lowerSharedMemory(Thread);
  if (Status S = checkRunnable(Thread, Record.Name); !S.ok())
    return S;
  std::string Name = "block." + std::to_string(Ordinal) + "." + Record.Symbol +
                     (Counted ? ".counted" : "");
  exportEntry(Thread, Name);
  if (Status S = finish(std::move(Source->M), std::move(Context)); !S.ok())
    return S;
  Result<uint64_t> Address = Host->lookup(Name);
  if (!Address.ok())
    return Address.status();
  Out.Form = Thread.Form;
  if (Thread.Form == KernelForm::Fibers)
    Out.Thread = reinterpret_cast<ThreadFunctionType>(*Address);
  else
    Out.Run = reinterpret_cast<BlockFunctionType>(*Address);
  Out.Sites = Thread.Sites.texts();
  Out.StaticShared = Thread.StaticShared;
  Out.ArgumentBytes = Record.ArgumentBytes;
  return Status();
}

/// Compiles a function whose address somebody takes. Whoever calls it does not
/// know it, so it is of form Fibers, as every kernel that calls through a
/// pointer.
Status KernelCache::compileFunction(unsigned Ordinal,
                                    const std::string &Symbol) {
  auto Context = std::make_unique<LLVMContext>();
  Result<KernelSource> Source =
      linkReached(Modules, Ordinal, Symbol, *Context, Host->target());
  if (!Source.ok())
    return Source.status();
  canonicalize(*Source->Root);
  ThreadCode Thread;
  Thread.Form = KernelForm::Fibers;
  retarget(*Source->Root, nullptr, 0, Thread);
  lowerWarps(Thread);
  lowerLibrary(Thread);
  lowerSharedMemory(Thread);
  if (Status S = checkRunnable(Thread, demangle(Symbol)); !S.ok())
    return S;
  return finish(std::move(Source->M), std::move(Context));
}

/// Optimises and links \p M, after everything it needs.
Status KernelCache::finish(std::unique_ptr<Module> M,
                           std::unique_ptr<LLVMContext> Context) {
  StripDebugInfo(*M);
  Host->optimize(*M);
  std::vector<std::string> Needed = neededBy(*M);
  if (Status S = Host->add(std::move(M), std::move(Context)); !S.ok())
    return S;
  for (const std::string &Name : Needed)
    if (Status S = provide(Name); !S.ok())
      return S;
  return Status();
}

/// Compiles the function or variable \p Name, once.
Status KernelCache::provide(const std::string &Name) {
  if (Provided.count(Name))
    return Status();
  if (!isFunctionName(Name))
    return provideGlobal(Name);
  Provided.insert(Name);
  auto [Symbol, Ordinal] = splitFunctionName(Name);
  Status S = compileFunction(Ordinal, Symbol);
  if (!S.ok())
    Provided.erase(Name);
  return S;
}

/// Defines the variable \p Name, together with all others of its module or, if
/// it holds functions, alone.
Status KernelCache::provideGlobal(const std::string &Name) {
  auto [Symbol, Owner] = splitGlobalName(Name);
  if (!Owner)
    Owner = Modules.definerOf(Symbol);
  Status Unknown(StatusCode::NotFound,
                 "no device module of the program has the variable '" + Symbol +
                     "'");
  if (!Owner || *Owner >= Modules.count())
    return Unknown;
  if (Status S = defineGlobals(*Owner); !S.ok() || Provided.count(Name))
    return S;
  auto Context = std::make_unique<LLVMContext>();
  auto M = defineGlobal(Modules, *Owner, Symbol, *Context, Host->target());
  Status S = addGlobals(std::move(M), std::move(Context));
  return S.ok() && !Provided.count(Name) ? Unknown : S;
}

/// Links the definitions in \p M, and what they need.
Status KernelCache::addGlobals(Result<std::unique_ptr<Module>> M,
                               std::unique_ptr<LLVMContext> Context) {
  if (!M.ok())
    return M.status();
  for (GlobalVariable &G : (*M)->globals())
    if (isGlobalName(G.getName()) && !G.isDeclaration() &&
        !Provided.insert(G.getName().str()).second)
      G.setInitializer(nullptr);
  std::vector<std::string> Needed = neededBy(**M);
  if (Status S = Host->add(std::move(*M), std::move(Context)); !S.ok())
    return S;
  for (const std::string &Name : Needed)
    if (Status S = provide(Name); !S.ok())
      return S;
  return Status();
}

Status KernelCache::defineGlobals(unsigned Ordinal) {
  if (!GlobalsDefined.insert(Ordinal).second)
    return Status();
  auto Context = std::make_unique<LLVMContext>();
  auto M = definePlainGlobals(Modules, Ordinal, *Context, Host->target());
  return addGlobals(std::move(M), std::move(Context));
}

Result<uint64_t> KernelCache::addressIn(unsigned Ordinal,
                                        const std::string &Symbol) {
  if (Status S = defineGlobals(Ordinal); !S.ok())
    return S;
  for (std::optional<unsigned> Owner :
       {std::optional<unsigned>(), std::optional(Ordinal)}) {
    std::string Name = globalName(Symbol, Owner);
    Status S = provide(Name);
    if (S.ok())
      return Host->lookup(Name);
    if (S.code() != StatusCode::NotFound)
      return S;
  }
  return Status(StatusCode::NotFound,
                "no device module of the program has the variable '" + Symbol +
                    "'");
}

Result<uint64_t> KernelCache::globalAddress(const std::string &Symbol,
                                            const ModuleRecord *Of) {
  std::lock_guard<std::mutex> Guard(Lock);
  Result<uint64_t> Found =
      Status(StatusCode::NotFound, "the program has no device module");
  for (unsigned Ordinal = 0; Ordinal < Modules.count(); ++Ordinal) {
    if (Of && Of != &Modules.record(Ordinal))
      continue;
    Found = addressIn(Ordinal, Symbol);
    if (Found.ok() || Found.status().code() != StatusCode::NotFound)
      break;
  }
  return Found;
}

} // namespace blockmaestro
