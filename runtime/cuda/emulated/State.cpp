// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "State.h"

#include "Machine.h"

namespace blockmaestro {

EmulatedState::EmulatedState() : Heap(EmulatedMemoryBytes) {}

EmulatedState &emulatedState() {
  static EmulatedState *State = new EmulatedState;
  return *State;
}

bool isStream(const EmulatedState &State, cudaStream_t Stream) {
  return !Stream || Stream == cudaStreamLegacy ||
         Stream == cudaStreamPerThread || State.Streams.count(Stream);
}

const EmulatedKernel *kernelOf(const EmulatedState &State, const void *Stub) {
  auto Record = State.Stubs.find(Stub);
  if (Record == State.Stubs.end())
    return nullptr;
  auto Kernel = State.Kernels.find(Record->second);
  return Kernel == State.Kernels.end() ? nullptr : &Kernel->second;
}

cudaError_t checkLaunch(const EmulatedState &State,
                        const EmulatedKernel *Kernel, dim3 Grid, dim3 Block,
                        size_t SharedBytes, cudaStream_t Stream) {
  if (!isStream(State, Stream))
    return cudaErrorInvalidResourceHandle;
  if (!emulatedShapeFits(Grid, Block))
    return cudaErrorInvalidConfiguration;
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  return SharedBytes > Kernel->MaxDynamicSharedBytes ? cudaErrorInvalidValue
                                                     : cudaSuccess;
}

} // namespace blockmaestro
