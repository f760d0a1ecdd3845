// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EngineState.h"

namespace blockmaestro {

EngineState &engineState() {
  static auto *State = new EngineState;
  return *State;
}

void startEngine(EngineState &State, BlockRunner &Processor,
                 const EngineSettings &Asked) {
  State.Runs = std::make_unique<Engine>(Processor, Asked);
}

const EmulatedKernel *kernelOf(const EngineState &State, const void *Stub) {
  auto Record = State.Stubs.find(Stub);
  if (Record == State.Stubs.end())
    return nullptr;
  auto Kernel = State.Kernels.find(Record->second);
  return Kernel == State.Kernels.end() ? nullptr : &Kernel->second;
}

const KernelRecord *recordOf(EngineState &State, const void *Stub) {
  std::lock_guard<std::mutex> Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Stub);
  return Kernel ? Kernel->Record : nullptr;
}

const EmulatedVariable *variableOf(const EngineState &State, const void *Host) {
  auto Found = State.Variables.find(Host);
  return Found == State.Variables.end() || Found->second.empty()
             ? nullptr
             : &Found->second.front();
}

} // namespace blockmaestro
