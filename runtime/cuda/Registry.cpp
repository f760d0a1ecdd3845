// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "MachineCode.h"
#include "MetadataReader.h"
#include "SymbolText.h"
#include "blockmaestro/LinkedParts.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {
namespace {

using Guard = std::lock_guard<std::mutex>;

/// Names the globals that Record's footprints are rooted at by their module.
void nameGlobals(ModuleRecord &Record, const std::string &Suffix) {
  for (KernelRecord &Kernel : Record.Kernels)
    for (Access &Each : Kernel.Bytes.Accesses)
      if (Each.Base.Kind == RootKind::Global)
        Each.Base.Global += Suffix;
}

/// Those of Module that Kernel's footprint is rooted at.
std::vector<KernelGlobal> globalsOf(const KernelRecord &Kernel,
                                    const ModuleRecord &Module,
                                    const std::string &Suffix) {
  std::vector<KernelGlobal> Out;
  for (const GlobalRecord &Global : Module.Globals) {
    const std::string Name = Global.Symbol + Suffix;
    const std::vector<Access> &All = Kernel.Bytes.Accesses;
    if (std::any_of(All.begin(), All.end(), [&](const Access &Each) {
          return Each.Base.Kind == RootKind::Global && Each.Base.Global == Name;
        }))
      Out.push_back({Global, Name});
  }
  return Out;
}

/// Why it is not known what code runs where A's and B's stub is launched; empty
/// where it is the same code.
std::string whyDifferent(const FoundKernel &A, const FoundKernel &B) {
  if (!A.Record && !B.Record)
    return "";
  if (A.Record && B.Record && sameCode(*A.Record, *B.Record))
    return "";
  return "several files of the program have a kernel of this name, each with "
         "code of its own, and CUDA runs one of them";
}

} // namespace

/// What the object at Data carries, or null when that cannot be read. The
/// caller holds the lock.
Registry::Object *Registry::addObject(const uint8_t *Data, size_t Bytes) {
  Result<std::vector<ModuleRecord>> Read = readMetadata(Data, Bytes);
  if (!Read.ok()) {
    Problems.push_back(Read.status().message());
    return nullptr;
  }
  Objects.emplace_back();
  for (ModuleRecord &Each : *Read) {
    Objects.back().Records.push_back(std::move(Each));
    ModuleRecord &Kept = Objects.back().Records.back();
    const std::string Suffix = "@" + std::to_string(++RecordsNamed);
    nameGlobals(Kept, Suffix);
    Suffixes[&Kept] = Suffix;
  }
  return &Objects.back();
}

void Registry::addRecords(const uint8_t *Data, size_t Bytes) {
  Guard Held(Lock);
  if (Object *Added = addObject(Data, Bytes)) {
    Added->Data = Data;
    Added->Loaded = true;
  }
}

void Registry::addRecordsOfNext(const uint8_t *Data, size_t Bytes) {
  Guard Held(Lock);
  noteUnclaimed();
  Next = {std::this_thread::get_id(), addObject(Data, Bytes)};
}

/// The records that this thread has brought last are those of no fat binary.
void Registry::noteUnclaimed() {
  if (!Next.Of || Next.By != std::this_thread::get_id())
    return;
  if (!Next.Of->Records.empty())
    Unclaimed.push_back(Next.Of->Records.front().Source);
  Next = {};
}

std::vector<std::string> Registry::takeUnclaimed() {
  Guard Held(Lock);
  noteUnclaimed();
  return std::exchange(Unclaimed, {});
}

RegisteredModule *Registry::beginModule(void *FatBinary) {
  Guard Held(Lock);
  Modules.emplace_back();
  Module &New = Modules.back();
  New.Known.FatBinary = FatBinary;
  if (Next.Of && Next.By == std::this_thread::get_id())
    New.Own = std::exchange(Next, {}).Of;
  ModuleOf[&New.Known] = &New;
  return &New.Known;
}

void Registry::addFunction(RegisteredModule *Module,
                           RegisteredFunction Function) {
  Guard Held(Lock);
  Stub &Known = Stubs[Function.Stub];
  Known.Symbol = Function.Symbol;
  Known.Meanings.push_back({Module, {}});
  Module->Functions.push_back(std::move(Function));
}

/// The object whose records are at Data, and loaded; null for none.
Registry::Object *Registry::objectAt(const void *Data) {
  auto Found =
      std::find_if(Objects.rbegin(), Objects.rend(), [=](const Object &Each) {
        return Each.Loaded && Each.Data == Data;
      });
  return Found == Objects.rend() ? nullptr : &*Found;
}

void Registry::addVariable(RegisteredModule *Module,
                           RegisteredVariable Variable) {
  Guard Held(Lock);
  if (Variable.Symbol.rfind(PartPrefix, 0) == 0) {
    if (Object *Part = objectAt(Variable.Host))
      ModuleOf[Module]->Parts.push_back(Part);
    return;
  }
  Module->Variables.push_back(std::move(Variable));
}

void Registry::endModule(RegisteredModule *Module) {
  Guard Held(Lock);
  Ended.push_back(ModuleOf[Module]);
}

/// What the objects of M carry, for every architecture.
std::vector<const ModuleRecord *> Registry::recordsOf(const Module &M) const {
  std::vector<const ModuleRecord *> Out;
  auto Add = [&](const Object &From) {
    for (const ModuleRecord &Each : From.Records)
      Out.push_back(&Each);
  };
  if (M.Own)
    Add(*M.Own);
  for (const Object *Each : M.Parts)
    Add(*Each);
  return Out;
}

/// Finds the records of M and of each of its functions.
void Registry::find(Module &M, const CodeTarget &Target) {
  ChosenRecords Chosen =
      chooseRecords(Target, imagesOf(M.Known.FatBinary), recordsOf(M));
  M.Known.Records = Chosen.Records;
  const LinkedCode Code(std::move(Chosen.Records));
  for (RegisteredFunction &Each : M.Known.Functions) {
    FoundKernel Found = Code.find(Each.Symbol);
    if (!Found.Record)
      Found.Doubt = Chosen.Doubt;
    Each.Record = Found.Record;
    for (Meaning &One : Stubs[Each.Stub].Meanings)
      if (One.In == &M.Known)
        One.Found = Found;
  }
}

/// Decides what a stub stands for; whether that is another record than before.
bool Registry::settle(Stub &Of) {
  FoundKernel First;
  std::string Conflict;
  for (size_t I = 0; I < Of.Meanings.size(); ++I) {
    const FoundKernel &Each = Of.Meanings[I].Found;
    if (I > 0 && Conflict.empty())
      Conflict = whyDifferent(Of.Meanings[0].Found, Each);
    if (!First.Record)
      First = Each;
  }
  Of.Means.Doubt = Conflict.empty() ? First.Doubt : Conflict;
  if (First.Record == Of.Means.Record)
    return false;
  Of.Means.Record = First.Record;
  Of.Means.Module = First.Module;
  Of.Means.Globals.clear();
  if (First.Record)
    Of.Means.Globals =
        globalsOf(*First.Record, *First.Module, Suffixes[First.Module]);
  Of.Means.GlobalsKnown = false;
  return true;
}

Kernel *Registry::byStub(const void *Stub) {
  Guard Held(Lock);
  auto Found = Stubs.find(Stub);
  return Found == Stubs.end() ? nullptr : &Found->second.Means;
}

std::string Registry::nameOf(const void *Stub, const std::string &Symbol) {
  Guard Held(Lock);
  auto Found = Stubs.find(Stub);
  if (Found == Stubs.end())
    return Symbol.empty() ? "a function that is no kernel" : demangled(Symbol);
  const KernelRecord *Record = Found->second.Means.Record;
  return Record ? Record->Name : demangled(Found->second.Symbol);
}

uint32_t Registry::registersOf(const void *Stub) {
  Guard Held(Lock);
  const auto Found = Stubs.find(Stub);
  if (Found == Stubs.end())
    return 0;
  for (const Meaning &Each : Found->second.Meanings)
    for (const CodeBytes &Code : machineCodeOf(Each.In->FatBinary, Target))
      if (const uint32_t Known =
              blockmaestro::registersOf(Found->second.Symbol, Code))
        return Known;
  return 0;
}

void Registry::takeNew(const CodeTarget &Target, const OnModule &Came,
                       const OnKernel &Changed) {
  std::vector<const RegisteredModule *> New;
  std::vector<std::pair<const void *, const KernelRecord *>> Kernels;
  {
    Guard Held(Lock);
    this->Target = Target;
    for (; ModulesTaken < Ended.size(); ++ModulesTaken) {
      Module &M = *Ended[ModulesTaken];
      if (M.Gone)
        continue;
      find(M, Target);
      New.push_back(&M.Known);
      for (const RegisteredFunction &Each : M.Known.Functions)
        if (Stub &Known = Stubs[Each.Stub]; settle(Known))
          Kernels.emplace_back(Each.Stub, Known.Means.Record);
    }
  }
  for (const RegisteredModule *Each : New)
    Came(*Each);
  for (const auto &[Stub, Record] : Kernels)
    Changed(Stub, Record);
}

void Registry::removeModule(RegisteredModule *Module, const OnKernel &Changed) {
  std::vector<std::pair<const void *, const KernelRecord *>> Kernels;
  {
    Guard Held(Lock);
    Registry::Module &M = *ModuleOf[Module];
    M.Gone = true;
    for (Object *Each : M.Parts)
      Each->Loaded = false;
    for (const RegisteredFunction &Each : Module->Functions) {
      Stub &Known = Stubs[Each.Stub];
      std::vector<Meaning> &All = Known.Meanings;
      All.erase(
          std::remove_if(All.begin(), All.end(),
                         [&](const Meaning &One) { return One.In == Module; }),
          All.end());
      if (settle(Known))
        Kernels.emplace_back(Each.Stub, Known.Means.Record);
    }
  }
  for (const auto &[Stub, Record] : Kernels)
    Changed(Stub, Record);
}

std::vector<std::string> Registry::problems() const {
  Guard Held(Lock);
  return Problems;
}

void Registry::refuse(const std::string &Why) {
  Guard Held(Lock);
  Refusal = Why;
}

std::string Registry::refusal() const {
  Guard Held(Lock);
  return Refusal;
}

} // namespace blockmaestro
