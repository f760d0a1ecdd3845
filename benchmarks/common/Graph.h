// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: CUDA graphs that are captured from a stream.
// Ownership: a Graph owns what it has instantiated.

#ifndef BLOCKMAESTRO_BENCHMARKS_GRAPH_H
#define BLOCKMAESTRO_BENCHMARKS_GRAPH_H

#include "Device.h"

namespace bench {

/// What Body issues on \p Stream, which must not be the legacy one. It is the
/// caller's.
template <typename F> cudaGraph_t capturedGraph(cudaStream_t Stream, F Body) {
  cudaGraph_t Made;
  CUDA_CHECK(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal));
  Body();
  CUDA_CHECK(cudaStreamEndCapture(Stream, &Made));
  return Made;
}

/// What is captured may change from one launch to the next.
class Graph {
public:
  Graph() = default;
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  ~Graph() { clear(); }

  /// Captures what Body issues, into what was captured before where that has
  /// the same nodes.
  template <typename F> void capture(cudaStream_t Stream, F Body) {
    cudaGraph_t Made = capturedGraph(Stream, Body);
    if (!update(Made)) {
      clear();
      CUDA_CHECK(cudaGraphInstantiate(&Ready, Made, 0));
    }
    CUDA_CHECK(cudaGraphDestroy(Made));
  }
  bool empty() const { return !Ready; }
  void launch(cudaStream_t Stream) const {
    CUDA_CHECK(cudaGraphLaunch(Ready, Stream));
  }

private:
  bool update(cudaGraph_t From) {
    if (!Ready)
      return false;
    cudaGraphExecUpdateResultInfo Why;
    if (cudaGraphExecUpdate(Ready, From, &Why) == cudaSuccess)
      return true;
    cudaGetLastError();
    return false;
  }

  void clear() {
    if (Ready)
      cudaGraphExecDestroy(Ready);
    Ready = nullptr;
  }

  cudaGraphExec_t Ready = nullptr;
};

} // namespace bench

#endif
