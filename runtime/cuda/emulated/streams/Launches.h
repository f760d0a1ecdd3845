// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: kernel launches of the emulated device: what CUDA would say to
// one, and its work for the engine.
// On the data's way: launch calls and graphs -> here -> Streams.h.
// Threads: any; EngineState::Lock, taken and given back.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_LAUNCHES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_LAUNCHES_H

#include "EngineState.h"

#include <string>

namespace blockmaestro::emulated {

/// A launch as a program asks for it.
struct KernelLaunch {
  const void *Function = nullptr; ///< The stub.
  dim3 Grid;
  dim3 Block;
  void **Args = nullptr;
  size_t SharedBytes = 0;
  bool Cooperative = false;
  dim3 Cluster = dim3(0, 0, 0); ///< As the launch asks; 0 where it does not.
};

/// Checks the launch as CUDA does, makes the kernel runnable and packs its
/// arguments.
cudaError_t launchWork(const KernelLaunch &Asked, Work &Out);

/// How many blocks of clusters like those of \p What, whose shape fits, are on
/// the device at a time.
uint64_t clustersAtATime(const KernelLaunch &What);

/// What CUDA would say to a launch of this shape of a kernel of this record.
cudaError_t checkLaunch(const Launch &What);

/// Makes the kernel runnable; else notes why not.
cudaError_t prepareKernel(const Launch &What);

} // namespace blockmaestro::emulated

#endif
