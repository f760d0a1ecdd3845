// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Machine.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Attributes,
                                  const void *Function) {
  if (!Attributes)
    return cudaErrorInvalidValue;
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  *Attributes = {};
  Attributes->sharedSizeBytes = Kernel->Record->StaticSharedBytes;
  Attributes->maxThreadsPerBlock = emulatedProperties().maxThreadsPerBlock;
  Attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(Kernel->MaxDynamicSharedBytes);
  Attributes->ptxVersion = 90;
  Attributes->binaryVersion = 90;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *Function,
                                 cudaFuncAttribute Attribute, int Value) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  if (Attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return Value >= -1 && Value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
  size_t Most = emulatedProperties().sharedMemPerBlockOptin -
                Kernel->Record->StaticSharedBytes;
  if (Attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || Value < 0 ||
      static_cast<size_t>(Value) > Most)
    return cudaErrorInvalidValue;
  State.Kernels[State.Stubs[Function]].MaxDynamicSharedBytes =
      static_cast<size_t>(Value);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          const void *Function,
                                                          int BlockSize,
                                                          size_t SharedBytes) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  if (!Blocks || BlockSize <= 0)
    return cudaErrorInvalidValue;
  *Blocks = emulatedOccupancy(BlockSize,
                              Kernel->Record->StaticSharedBytes + SharedBytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Blocks, const void *Function, int BlockSize, size_t SharedBytes,
    unsigned) {
  return emulated::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      Blocks, Function, BlockSize, SharedBytes);
}

} // namespace blockmaestro::emulated
