// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "MetadataReader.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
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

/// A symbol as people write it; itself where it is not mangled.
std::string demangled(const std::string &Symbol) {
  const std::unique_ptr<char, decltype(&std::free)> Text(
      abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, nullptr),
      &std::free);
  return Text ? Text.get() : Symbol;
}

} // namespace

void Registry::addKernels(const ObjectRecord &From) {
  Chosen.try_emplace(From.Object, &From.Record);
  for (const KernelRecord &Each : From.Record.Kernels) {
    auto [At, New] = Kernels.try_emplace({From.Object, Each.Symbol});
    if (!New)
      continue;
    At->second.Record = &Each;
    At->second.Module = &From.Record;
    At->second.Globals = globalsOf(Each, From.Record);
    auto [Same, First] = Only.try_emplace(Each.Symbol, &At->second);
    if (!First && isInternalName(Each.Symbol))
      Same->second = nullptr;
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

/// The number of the object, or 0 when its records cannot be read. The caller
/// holds the lock.
size_t Registry::addObject(const uint8_t *Data, size_t Bytes) {
  Result<std::vector<ModuleRecord>> Read = readMetadata(Data, Bytes);
  if (!Read.ok()) {
    Problems.push_back(Read.status().message());
    return 0;
  }
  ++Objects;
  ObjectOf[Data] = Objects;
  for (ModuleRecord &Each : *Read)
    Records.push_back({std::move(Each), Objects});
  return Objects;
}

void Registry::addRecords(const uint8_t *Data, size_t Bytes) {
  Guard Held(Lock);
  addObject(Data, Bytes);
}

void Registry::addRecordsOfNext(const uint8_t *Data, size_t Bytes) {
  Guard Held(Lock);
  Next = {std::this_thread::get_id(), addObject(Data, Bytes)};
}

RegisteredModule *Registry::beginModule(void *FatBinary) {
  Guard Held(Lock);
  Modules.emplace_back();
  Modules.back().FatBinary = FatBinary;
  if (Next.Object && Next.By == std::this_thread::get_id())
    ModuleObjects[&Modules.back()] = std::exchange(Next, {}).Object;
  return &Modules.back();
}

/// The object Module is known to be of, or 0.
size_t Registry::objectOf(const RegisteredModule &Module) const {
  auto Known = ModuleObjects.find(&Module);
  return Known == ModuleObjects.end() ? 0 : Known->second;
}

void Registry::addFunction(RegisteredModule *Module,
                           RegisteredFunction Function) {
  Guard Held(Lock);
  Stubs[Function.Stub] = {Function.Symbol, objectOf(*Module)};
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

Kernel *Registry::findIn(size_t Object, const std::string &Symbol) {
  if (auto Own = Kernels.find({Object, Symbol}); Own != Kernels.end())
    return &Own->second;
  auto Known = Only.find(Symbol);
  return Known == Only.end() ? nullptr : Known->second;
}

Kernel *Registry::find(const void *Records, const std::string &Symbol) {
  Guard Held(Lock);
  auto Object = ObjectOf.find(Records);
  return findIn(Object == ObjectOf.end() ? 0 : Object->second, Symbol);
}

Kernel *Registry::byStub(const void *Stub) {
  Guard Held(Lock);
  auto Found = Stubs.find(Stub);
  return Found == Stubs.end()
             ? nullptr
             : findIn(Found->second.Object, Found->second.Symbol);
}

std::string Registry::nameOf(const void *Stub) {
  if (const Kernel *Known = byStub(Stub))
    return Known->Record->Name;
  Guard Held(Lock);
  auto Found = Stubs.find(Stub);
  return Found == Stubs.end() ? "a function that is no kernel"
                              : demangled(Found->second.Symbol);
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
    for (; ModulesTaken < Ended.size(); ++ModulesTaken) {
      RegisteredModule *Module = Ended[ModulesTaken];
      const size_t Own = objectOf(*Module);
      if (auto Carried = Chosen.find(Own); Carried != Chosen.end())
        Module->Record = Carried->second;
      for (RegisteredFunction &Each : Module->Functions)
        if (const Kernel *Known = findIn(Own, Each.Symbol))
          Each.Record = Known->Record;
      NewModules.push_back(Module);
    }
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
