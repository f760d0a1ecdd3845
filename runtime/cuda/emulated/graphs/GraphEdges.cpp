// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphEdges.h"

#include "GraphState.h"

namespace blockmaestro::emulated {

bool readNeeds(const cudaGraphNode_t *From, const cudaGraphEdgeData *Data,
               size_t Count, std::vector<GraphEdge> &Out) {
  if (Count > 0 && !From)
    return false;
  for (size_t I = 0; I < Count; ++I) {
    GraphNode *Node = graphState().Handles.node(From[I]);
    if (!Node)
      return false;
    Out.push_back({Node, Data ? Data[I] : cudaGraphEdgeData{}});
  }
  return true;
}

bool readEdges(const cudaGraphNode_t *From, const cudaGraphNode_t *To,
               const cudaGraphEdgeData *Data, size_t Count,
               std::vector<NamedEdge> &Out) {
  std::vector<GraphEdge> Starts, Ends;
  if (!readNeeds(From, Data, Count, Starts) ||
      !readNeeds(To, nullptr, Count, Ends))
    return false;
  for (size_t I = 0; I < Count; ++I)
    Out.push_back({Starts[I].Other, Ends[I].Other, Starts[I].Data});
  return true;
}

} // namespace blockmaestro::emulated
