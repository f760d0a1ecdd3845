// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: CUDA's parameters of graph nodes as commands, and back.
// On the data's way: between the calls that add, set and tell (GraphNodes.cpp,
// GraphExecCalls.cpp) and the nodes.
// Invariants: a command that comes out has been checked as a call that does the
// same at once would check it, and everything in it is copied. Threads: any;
// takes the lock of the device's state, not GraphState::Lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHPARAMETERS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHPARAMETERS_H

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

cudaError_t commandOf(const cudaKernelNodeParams &From, Command &Out);
cudaError_t commandOf(const cudaMemcpy3DParms &From, Command &Out);
cudaError_t commandOf(const LinearCopyParams &From, Command &Out);
cudaError_t commandOf(const SymbolCopyParams &From, Command &Out);
cudaError_t commandOf(const cudaMemsetParams &From, Command &Out);
cudaError_t commandOf(const cudaHostNodeParams &From, Command &Out);
cudaError_t commandOf(const RecordCommand &From, Command &Out);
cudaError_t commandOf(const WaitCommand &From, Command &Out);
/// Kinds that depend on nothing but the parameters: no child graphs,
/// nor allocations. cudaErrorNotSupported for what the device has not.
cudaError_t commandOf(const cudaGraphNodeParams &From, Command &Out);

/// Which blocks of the kernel are under way together: all, or clusters; no
/// parameters, so that they stay when the parameters change. What CUDA says to
/// such a launch.
cudaError_t setGrouping(LaunchCommand &Which, bool Cooperative, Dim3 Cluster);
/// Groups the blocks of \p Which as those of \p Of; another kernel has its own
/// clusters.
cudaError_t keepGrouping(LaunchCommand &Which, const Launch &Of);
/// Replaces a command by another of its kind, all but what is not a parameter.
cudaError_t setParameters(Command &Which, Command To);

/// What a program gets that asks a node of this kind; false for another kind.
bool tell(GraphNode &Node, cudaKernelNodeParams &Out);
bool tell(const GraphNode &Node, cudaMemcpy3DParms &Out);
bool tell(const GraphNode &Node, cudaMemsetParams &Out);
bool tell(const GraphNode &Node, cudaHostNodeParams &Out);
bool tell(const GraphNode &Node, cudaMemAllocNodeParams &Out);

} // namespace blockmaestro::emulated

#endif
