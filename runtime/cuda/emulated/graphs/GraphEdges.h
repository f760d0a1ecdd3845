// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: edges as the calls give them: handles and data side by side.
// Threads: the callers hold GraphState::Lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHEDGES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHEDGES_H

#include "Graph.h"

#include <vector>

namespace blockmaestro::emulated {

struct NamedEdge {
  GraphNode *From = nullptr;
  GraphNode *To = nullptr;
  cudaGraphEdgeData Data = {};
};

/// False when an array or a node is missing. Data may be null.
bool readEdges(const cudaGraphNode_t *From, const cudaGraphNode_t *To,
               const cudaGraphEdgeData *Data, size_t Count,
               std::vector<NamedEdge> &Out);

/// The same for what a new node needs.
bool readNeeds(const cudaGraphNode_t *From, const cudaGraphEdgeData *Data,
               size_t Count, std::vector<GraphEdge> &Out);

} // namespace blockmaestro::emulated

#endif
