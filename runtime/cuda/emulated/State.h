// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the emulated device's calls know: memory, kernels, device
// variables, streams and events.
// On the data's way: filled by EmulatedDevice, read and changed by
// the calls (Calls.h), which are plain functions and so need one place to find
// it. Invariants: there is one emulated device in a process; the state is never
// destroyed, because programs may free memory in their static destructors.
// Threads: Lock guards everything but the heap, which has its own.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STATE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STATE_H

#include "Device.h"
#include "DeviceHeap.h"

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace blockmaestro {

class Emulator;

struct EmulatedKernel {
  const KernelRecord *Record = nullptr;
  size_t MaxDynamicSharedBytes = 0;
};

struct EmulatedVariable {
  RegisteredVariable What;
  const ModuleRecord *Of = nullptr; ///< Null when not known.
};

struct EmulatedEvent {
  bool Timed = true;
  bool Recorded = false;
  std::chrono::steady_clock::time_point When;
};

struct EmulatedState {
  EmulatedState();

  DeviceHeap Heap;
  std::mutex Lock;
  Emulator *Processor = nullptr;
  std::map<const KernelRecord *, EmulatedKernel> Kernels;
  std::map<const void *, const KernelRecord *> Stubs;
  std::map<const void *, EmulatedVariable> Variables;
  std::set<cudaStream_t> Streams;
  std::map<cudaEvent_t, EmulatedEvent> Events;
};

EmulatedState &emulatedState();

/// The calls of Api.def on the emulated device.
RuntimeCalls emulatedCalls();

/// Whether a call may name this stream. The caller holds State.Lock.
bool isStream(const EmulatedState &State, cudaStream_t Stream);

/// The kernel a host stub stands for; null when no record names it. The caller
/// holds State.Lock.
const EmulatedKernel *kernelOf(const EmulatedState &State, const void *Stub);

/// What CUDA would say to a launch of this shape. Kernel may be null. The
/// caller holds State.Lock.
cudaError_t checkLaunch(const EmulatedState &State,
                        const EmulatedKernel *Kernel, dim3 Grid, dim3 Block,
                        size_t SharedBytes, cudaStream_t Stream);

} // namespace blockmaestro

#endif
