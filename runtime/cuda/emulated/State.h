// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the emulated device's calls know: memory, kernels, device
// variables, streams and events, and the engine that does their work.
// On the data's way: filled by EmulatedDevice, read and changed by
// the calls (Calls.h), which are plain functions and so need one place to find
// it. Invariants: there is one emulated device in a process; the state is never
// destroyed, because programs may free memory in their static destructors.
// Threads: Lock guards everything but the heap, which has its own.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STATE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STATE_H

#include "Device.h"
#include "DeviceHeap.h"
#include "Engine.h"
#include "Notes.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace blockmaestro {

class Emulator;

struct EmulatedKernel {
  const KernelRecord *Record = nullptr;
  size_t MaxDynamicSharedBytes = 0;
  bool Prepared = false; ///< The processor can run it.
  int Carveout = cudaSharedmemCarveoutDefault;
};

/// What one fat binary means by a host variable.
struct EmulatedVariable {
  RegisteredVariable What;
  const ModuleRecord *Of = nullptr; ///< A module of the fat binary.
  const RegisteredModule *In = nullptr;
};

/// A stream is no more than its last operation; see Streams.cpp.
struct EmulatedStream {
  uint64_t Id = 0;
  unsigned Flags = cudaStreamDefault;
  int Priority = 0;
  OperationRef Tail; ///< Null: nothing has ever been submitted.
  /// What cudaStreamSetAttribute has set and nothing here makes use of.
  std::map<int, cudaLaunchAttributeValue> Attributes;
};

struct EmulatedEvent {
  bool Timed = true;
  OperationRef Recorded; ///< The last in the stream then; null: never.
};

struct EmulatedState {
  EmulatedState();

  DeviceHeap Heap;
  std::mutex Lock;
  Emulator *Processor = nullptr;
  Notes *Reasons = nullptr; ///< For what is refused; may stay null.
  std::map<const KernelRecord *, EmulatedKernel> Kernels;
  std::map<const void *, const KernelRecord *> Stubs;
  /// Of all fat binaries that have registered it; the first counts.
  std::map<const void *, std::vector<EmulatedVariable>> Variables;
  /// Made by startEngine(), which comes before any work.
  std::unique_ptr<Engine> Runs;
  EmulatedStream Legacy;
  std::map<std::thread::id, EmulatedStream> PerThread;
  std::unordered_map<cudaStream_t, std::unique_ptr<EmulatedStream>> Streams;
  /// The last operations of streams that are no more and that the legacy
  /// stream has to wait for.
  std::vector<OperationRef> Ended;
  uint64_t LastStreamId = 1;
  std::unordered_map<cudaEvent_t, std::unique_ptr<EmulatedEvent>> Events;
  /// Of launches the front end has not numbered.
  std::atomic<uint64_t> LaunchIds = uint64_t(1) << 63;
};

EmulatedState &emulatedState();

/// The calls of Api.def on the emulated device.
RuntimeCalls emulatedCalls();

/// Makes the engine, which runs blocks with Processor.
void startEngine(EmulatedState &State, BlockRunner &Processor,
                 const EngineSettings &Asked);

/// The kernel a host stub stands for; null when no record names it. The caller
/// holds State.Lock.
const EmulatedKernel *kernelOf(const EmulatedState &State, const void *Stub);
/// The same for a host variable.
const EmulatedVariable *variableOf(const EmulatedState &State,
                                   const void *Host);

} // namespace blockmaestro

#endif
