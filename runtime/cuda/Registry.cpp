// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "MetadataReader.h"

#include <cstdlib>
#include <utility>

namespace blockmaestro {
namespace {

using Guard = std::lock_guard<std::mutex>;

/// 90 for "sm_90" and "sm_90a".
unsigned architectureOf(const ModuleRecord &Record) {
  size_t Digit = Record.Architecture.find_first_of("0123456789");
  return Digit == std::string::npos
             ? 0
             : unsigned(std::atoi(Record.Architecture.c_str() + Digit));
}

/// Whether two objects may each have their own kernel of this mangled name.
bool isInternalName(const std::string &Symbol) {
  return Symbol.rfind("_ZL", 0) == 0 ||
         Symbol.find("_GLOBAL__N_") != std::string::npos;
}

std::vector<GlobalRecord> globalsOf(const KernelRecord &Kernel,
                                    const ModuleRecord &Module) {
  std::vector<GlobalRecord> Out;
  for (const GlobalRecord &Global : Module.Globals)
    for (const Access &Each : Kernel.Bytes.Accesses)
      if (Each.Base.Kind == RootKind::Global &&
          Each.Base.Global == Global.Symbol) {
        Out.push_back(Global);
        break;
      }
  return Out;
}

} // namespace

void Registry::addKernels(const ObjectRecord &From) {
  for (const KernelRecord &Each : From.Record.Kernels) {
    auto [At, New] = Kernels.try_emplace(Each.Symbol);
    Kernel &Known = At->second;
    if (New) {
      Known.Record = &Each;
      Known.Object = From.Object;
      Known.Globals = globalsOf(Each, From.Record);
    } else if (isInternalName(Each.Symbol) && Known.Object != From.Object) {
      Known.Ambiguous = true;
    }
  }
}

/// The records not yet handed out that Newest can run, the best of each.
std::vector<const Registry::ObjectRecord *>
Registry::chooseNew(unsigned Newest) {
  std::map<std::pair<size_t, std::string>, const ObjectRecord *> Best;
  for (; RecordsTaken < Records.size(); ++RecordsTaken) {
    const ObjectRecord &Each = Records[RecordsTaken];
    if (architectureOf(Each.Record) > Newest)
      continue;
    const ObjectRecord *&Chosen = Best[{Each.Object, Each.Record.Source}];
    if (!Chosen || architectureOf(Each.Record) > architectureOf(Chosen->Record))
      Chosen = &Each;
  }
  std::vector<const ObjectRecord *> Out;
  for (const auto &[Of, Chosen] : Best)
    Out.push_back(Chosen);
  return Out;
}

void Registry::addRecords(const uint8_t *Data, size_t Bytes) {
  Result<std::vector<ModuleRecord>> Read = readMetadata(Data, Bytes);
  Guard Held(Lock);
  if (!Read.ok()) {
    Problems.push_back(Read.status().message());
    return;
  }
  for (ModuleRecord &Each : *Read)
    Records.push_back({std::move(Each), Objects});
  ++Objects;
}

RegisteredModule *Registry::beginModule(void *FatBinary) {
  Guard Held(Lock);
  Modules.emplace_back();
  Modules.back().FatBinary = FatBinary;
  return &Modules.back();
}

void Registry::addFunction(RegisteredModule *Module,
                           RegisteredFunction Function) {
  Guard Held(Lock);
  Stubs[Function.Stub] = Function.Symbol;
  Module->Functions.push_back(std::move(Function));
}

void Registry::addVariable(RegisteredModule *Module,
                           RegisteredVariable Variable) {
  Guard Held(Lock);
  Module->Variables.push_back(std::move(Variable));
}

void Registry::endModule(RegisteredModule *Module) {
  Guard Held(Lock);
  Ended.push_back(Module);
}

Kernel *Registry::bySymbol(const std::string &Symbol) {
  Guard Held(Lock);
  auto Found = Kernels.find(Symbol);
  return Found == Kernels.end() || Found->second.Ambiguous ? nullptr
                                                           : &Found->second;
}

Kernel *Registry::byStub(const void *Stub) {
  std::string Symbol;
  {
    Guard Held(Lock);
    auto Found = Stubs.find(Stub);
    if (Found == Stubs.end())
      return nullptr;
    Symbol = Found->second;
  }
  return bySymbol(Symbol);
}

std::string Registry::nameOf(const void *Stub) {
  Guard Held(Lock);
  auto Found = Stubs.find(Stub);
  if (Found == Stubs.end())
    return "a function that is no kernel";
  auto Known = Kernels.find(Found->second);
  return Known == Kernels.end() ? Found->second : Known->second.Record->Name;
}

void Registry::takeNew(
    unsigned Newest, const std::function<void(const ModuleRecord &)> &OnRecord,
    const std::function<void(const RegisteredModule &)> &OnModule) {
  std::vector<const ObjectRecord *> NewRecords;
  std::vector<const RegisteredModule *> NewModules;
  {
    Guard Held(Lock);
    NewRecords = chooseNew(Newest);
    for (const ObjectRecord *Each : NewRecords)
      addKernels(*Each);
    for (; ModulesTaken < Ended.size(); ++ModulesTaken)
      NewModules.push_back(Ended[ModulesTaken]);
  }
  for (const ObjectRecord *Each : NewRecords)
    OnRecord(Each->Record);
  for (const RegisteredModule *Each : NewModules)
    OnModule(*Each);
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
