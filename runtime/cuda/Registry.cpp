// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "MetadataReader.h"

#include <utility>

namespace blockmaestro {
namespace {

using Guard = std::lock_guard<std::mutex>;

/// Whether two sources may each have their own kernel of this mangled name.
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

void Registry::addKernels(const ModuleRecord &Record) {
  for (const KernelRecord &Each : Record.Kernels) {
    auto [At, New] = Kernels.try_emplace(Each.Symbol);
    Kernel &Known = At->second;
    if (New) {
      Known.Record = &Each;
      Known.Source = &Record.Source;
      Known.Globals = globalsOf(Each, Record);
    } else if (isInternalName(Each.Symbol) && *Known.Source != Record.Source) {
      Known.Ambiguous = true;
    }
  }
}

void Registry::addRecords(const uint8_t *Data, size_t Bytes) {
  Result<std::vector<ModuleRecord>> Read = readMetadata(Data, Bytes);
  Guard Held(Lock);
  if (!Read.ok()) {
    Problems.push_back(Read.status().message());
    return;
  }
  for (ModuleRecord &Each : *Read) {
    Records.push_back(std::move(Each));
    addKernels(Records.back());
  }
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
    const std::function<void(const ModuleRecord &)> &OnRecord,
    const std::function<void(const RegisteredModule &)> &OnModule) {
  std::vector<const ModuleRecord *> NewRecords;
  std::vector<const RegisteredModule *> NewModules;
  {
    Guard Held(Lock);
    for (; RecordsTaken < Records.size(); ++RecordsTaken)
      NewRecords.push_back(&Records[RecordsTaken]);
    for (; ModulesTaken < Ended.size(); ++ModulesTaken)
      NewModules.push_back(Ended[ModulesTaken]);
  }
  for (const ModuleRecord *Each : NewRecords)
    OnRecord(*Each);
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
