// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a call of the real runtime has answered, as a Status.
// On the data's way: behind calls of ours, in CudaPort.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_CALLSTATUS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_CALLSTATUS_H

#include "Device.h"

#include <string>

namespace blockmaestro {

/// \p What is what was tried, for a sentence.
inline Status statusOf(const RuntimeCalls &Real, cudaError_t Error,
                       const char *What) {
  if (Error == cudaSuccess)
    return {};
  return {StatusCode::Device,
          std::string(What) + ": " + Real.cudaGetErrorString(Error)};
}

} // namespace blockmaestro

#endif
