// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: CUDA's parameters of graph nodes as work, and back.
// On the data's way: between the calls that add, set and tell (GraphNodes.cpp,
// GraphExecCalls.cpp) and the nodes.
// Invariants: work that comes out has been checked as a call that does the same
// at once would check it, and everything in it is copied.
// Threads: any; takes the lock of the device's state, not graphLock().

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHPARAMETERS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHPARAMETERS_H

#include "Graph.h"

#include <cuda_runtime_api.h>

namespace blockmaestro::emulated {

struct LinearCopyParams {
  void *To = nullptr;
  const void *From = nullptr;
  size_t Bytes = 0;
  cudaMemcpyKind Kind = cudaMemcpyDefault;
};

/// To or From a device variable; the other side is Address.
struct SymbolCopyParams {
  const void *Symbol = nullptr;
  void *Address = nullptr;
  size_t Bytes = 0;
  size_t Offset = 0;
  cudaMemcpyKind Kind = cudaMemcpyDefault;
  bool ToSymbol = true;
};

cudaError_t workOf(const cudaKernelNodeParams &From, GraphWork &Out);
cudaError_t workOf(const cudaMemcpy3DParms &From, GraphWork &Out);
cudaError_t workOf(const LinearCopyParams &From, GraphWork &Out);
cudaError_t workOf(const SymbolCopyParams &From, GraphWork &Out);
cudaError_t workOf(const cudaMemsetParams &From, GraphWork &Out);
cudaError_t workOf(const cudaHostNodeParams &From, GraphWork &Out);
cudaError_t workOf(const RecordWork &From, GraphWork &Out);
cudaError_t workOf(const WaitWork &From, GraphWork &Out);
/// Kinds whose work depends on nothing but the parameters: no child graphs,
/// nor allocations. cudaErrorNotSupported for what the device has not.
cudaError_t workOf(const cudaGraphNodeParams &From, GraphWork &Out);

/// What a program gets that asks a node of this kind; false for another kind.
bool tell(GraphNode &Node, cudaKernelNodeParams &Out);
bool tell(const GraphNode &Node, cudaMemcpy3DParms &Out);
bool tell(const GraphNode &Node, cudaMemsetParams &Out);
bool tell(const GraphNode &Node, cudaHostNodeParams &Out);
bool tell(const GraphNode &Node, cudaMemAllocNodeParams &Out);

} // namespace blockmaestro::emulated

#endif
