// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what is asked and said of CUDA's graphs in more than one place.
// On the data's way: around calls of ours that make graphs.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_GRAPHPARTS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_GRAPHPARTS_H

#include "Device.h"

namespace blockmaestro {

/// Whether launches on the stream become nodes of a graph. Where CUDA does not
/// say, they count as such.
inline bool isCapturing(const RuntimeCalls &Real, cudaStream_t Stream) {
  cudaStreamCaptureStatus State = cudaStreamCaptureStatusNone;
  return Real.cudaStreamIsCapturing(Stream, &State) != cudaSuccess ||
         State != cudaStreamCaptureStatusNone;
}

/// Of a kernel that starts when the last block of the one in front has exited.
inline cudaGraphEdgeData programmaticEdge() {
  cudaGraphEdgeData Out = {};
  Out.from_port = cudaGraphKernelNodePortProgrammatic;
  Out.type = cudaGraphDependencyTypeProgrammatic;
  return Out;
}

} // namespace blockmaestro

#endif
