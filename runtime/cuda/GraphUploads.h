// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: brings executable graphs to the device, on a stream that no other
// waits for. Otherwise the first launch of a graph does, and its caller waits.
// On the data's way: where graphs are made, beside the program.
// Threads: one at a time, that on which graphs are made.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_GRAPHUPLOADS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_GRAPHUPLOADS_H

#include "Device.h"

namespace blockmaestro {

class GraphUploads {
public:
  explicit GraphUploads(const RuntimeCalls &Real) : Real(Real) {}

  cudaError_t bring(cudaGraphExec_t What) {
    cudaError_t Error = cudaSuccess;
    if (!Own)
      Error = Real.cudaStreamCreateWithFlags(&Own, cudaStreamNonBlocking);
    if (Error == cudaSuccess)
      Error = Real.cudaGraphUpload(What, Own);
    return Error == cudaSuccess ? Real.cudaStreamSynchronize(Own) : Error;
  }
  /// The device forgets its streams.
  void forget() { Own = nullptr; }

private:
  const RuntimeCalls &Real;
  cudaStream_t Own = nullptr;
};

} // namespace blockmaestro

#endif
