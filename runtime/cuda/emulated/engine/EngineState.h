// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the code that the emulated device was given, the processor that
// runs it, and the engine that gives the processor its work.
// On the data's way: filled by EmulatedDevice; asked by launches, by copies of
// device variables, and by whatever submits work.
// Invariants: there is one in a process; it is never destroyed, because
// programs may call from their static destructors.
// Threads: Lock guards the maps; the rest is set before any work.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_ENGINESTATE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_ENGINESTATE_H

#include "Engine.h"
#include "Notes.h"
#include "RegisteredModule.h"

#include <cuda_runtime_api.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace blockmaestro {

class Emulator;

struct EmulatedKernel {
  const KernelRecord *Record = nullptr;
  size_t MaxDynamicSharedBytes = 0;
  bool Prepared = false; ///< The processor can run it.
  int Carveout = cudaSharedmemCarveoutDefault;
  bool LargeClusters = false; ///< Clusters may be larger than is portable.
};

/// What one fat binary means by a host variable.
struct EmulatedVariable {
  RegisteredVariable What;
  const ModuleRecord *Of = nullptr; ///< A module of the fat binary.
  const RegisteredModule *In = nullptr;
};

struct EngineState {
  std::mutex Lock;
  Emulator *Processor = nullptr;
  Notes *Reasons = nullptr; ///< For what is refused; may stay null.
  std::map<const KernelRecord *, EmulatedKernel> Kernels;
  std::map<const void *, const KernelRecord *> Stubs;
  /// Of all fat binaries that have registered it; the first counts.
  std::map<const void *, std::vector<EmulatedVariable>> Variables;
  /// Made by startEngine(), which comes before any work.
  std::unique_ptr<Engine> Runs;
  /// Of launches the front end has not numbered.
  std::atomic<uint64_t> LaunchIds = uint64_t(1) << 63;
};

EngineState &engineState();

/// Makes the engine, which runs blocks with Processor.
void startEngine(EngineState &State, BlockRunner &Processor,
                 const EngineSettings &Asked);

/// The kernel a host stub stands for; null when no record names it. The caller
/// holds State.Lock.
const EmulatedKernel *kernelOf(const EngineState &State, const void *Stub);
/// The record of that kernel; null when there is none. Takes and gives back
/// State.Lock.
const KernelRecord *recordOf(EngineState &State, const void *Stub);
/// The same as kernelOf() for a host variable.
const EmulatedVariable *variableOf(const EngineState &State, const void *Host);

} // namespace blockmaestro

#endif
