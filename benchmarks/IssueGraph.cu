// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Issue.h"

const char *const IssueName = "graph";

static cudaError_t capture(const std::function<void(cudaStream_t)> &Launches,
                           cudaStream_t Stream, cudaGraphExec_t &Into) {
  cudaGraph_t Graph = nullptr;
  cudaError_t Error =
      cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal);
  if (Error != cudaSuccess)
    return Error;
  Launches(Stream);
  Error = cudaStreamEndCapture(Stream, &Graph);
  if (Error != cudaSuccess)
    return Error;
  Error = cudaGraphInstantiate(&Into, Graph, 0);
  cudaGraphDestroy(Graph);
  return Error;
}

cudaError_t issue(const std::function<void(cudaStream_t)> &Launches,
                  cudaStream_t Stream) {
  static cudaGraphExec_t Captured = nullptr;
  if (!Captured) {
    cudaError_t Error = capture(Launches, Stream, Captured);
    if (Error != cudaSuccess)
      return Error;
  }
  return cudaGraphLaunch(Captured, Stream);
}
