// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

// Launches: only those that no executor accepts come here.

cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block,
                             void **Args, size_t SharedBytes,
                             cudaStream_t Stream) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  cudaError_t Wrong =
      checkLaunch(State, Kernel, Grid, Block, SharedBytes, Stream);
  if (Wrong != cudaSuccess)
    return Wrong;
  return !Args && !Kernel->Record->Parameters.empty() ? cudaErrorInvalidValue
                                                      : cudaErrorNotSupported;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Function, void **Args) {
  if (!Config)
    return cudaErrorInvalidValue;
  return emulated::cudaLaunchKernel(Function, Config->gridDim, Config->blockDim,
                                    Args, Config->dynamicSmemBytes,
                                    Config->stream);
}

} // namespace blockmaestro::emulated
