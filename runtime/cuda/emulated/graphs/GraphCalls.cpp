// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls about graphs as such: nodes and edges, copies, user objects. Nodes of
// each kind are in GraphNodes.cpp.

#include "Calls.h"
#include "Graph.h"
#include "GraphEdges.h"
#include "GraphState.h"

#include <algorithm>
#include <utility>

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

cudaError_t cudaGraphCreate(cudaGraph_t *Out, unsigned Flags) {
  if (!Out || Flags != 0)
    return cudaErrorInvalidValue;
  *Out = handleOf(new Graph);
  return cudaSuccess;
}

/// Takes the graph away from the program; what it holds goes when the caller
/// lets go of it, outside of the lock, because that may call the program.
static cudaError_t takeGraph(cudaGraph_t Handle, std::unique_ptr<Graph> &Out) {
  Guard Held(graphState().Lock);
  Graph *What = graphState().Handles.graph(Handle);
  if (!What || What->Parent || What->Capturing)
    return cudaErrorInvalidValue;
  Out.reset(What);
  graphState().Handles.remove(What);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t Handle) {
  std::unique_ptr<Graph> Gone;
  return takeGraph(Handle, Gone);
}

cudaError_t cudaGraphClone(cudaGraph_t *Out, cudaGraph_t Handle) {
  Guard Held(graphState().Lock);
  Graph *What = graphState().Handles.graph(Handle);
  if (!Out || !What)
    return cudaErrorInvalidValue;
  if (What->usesMemoryNodes())
    return cudaErrorNotSupported;
  *Out = handleOf(What->clone().release());
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *Out, cudaGraphNode_t Node,
                                     cudaGraph_t Clone) {
  Guard Held(graphState().Lock);
  GraphNode *Original = graphState().Handles.node(Node);
  Graph *In = graphState().Handles.graph(Clone);
  if (!Out || !Original || !In)
    return cudaErrorInvalidValue;
  GraphNode *Found = In->copyOf(Original->Id);
  if (!Found)
    return cudaErrorInvalidValue;
  *Out = handleOf(Found);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t Node, cudaGraphNodeType *Out) {
  Guard Held(graphState().Lock);
  GraphNode *What = graphState().Handles.node(Node);
  if (!What || !Out)
    return cudaErrorInvalidValue;
  *Out = What->type();
  return cudaSuccess;
}

/// Fills a list as all queries do: without a place for it only the number is
/// told; what is left of a longer place becomes null.
static cudaError_t tellNodes(const std::vector<GraphNode *> &Nodes,
                             cudaGraphNode_t *Out, size_t *Count) {
  if (Out) {
    for (size_t I = 0; I < *Count; ++I)
      Out[I] = I < Nodes.size() ? handleOf(Nodes[I]) : nullptr;
    *Count = std::min(*Count, Nodes.size());
  } else {
    *Count = Nodes.size();
  }
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t Handle, cudaGraphNode_t *Out,
                              size_t *Count) {
  Guard Held(graphState().Lock);
  Graph *What = graphState().Handles.graph(Handle);
  return What && Count ? tellNodes(What->nodes(), Out, Count)
                       : cudaErrorInvalidValue;
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t Handle, cudaGraphNode_t *Out,
                                  size_t *Count) {
  Guard Held(graphState().Lock);
  Graph *What = graphState().Handles.graph(Handle);
  if (!What || !Count)
    return cudaErrorInvalidValue;
  std::vector<GraphNode *> Roots;
  for (GraphNode *Each : What->nodes())
    if (Each->Needs.empty())
      Roots.push_back(Each);
  return tellNodes(Roots, Out, Count);
}

/// Fills the places that are given with as many edges as they take. Edges with
/// data are not told without a place for the data.
static cudaError_t tellEdges(const std::vector<NamedEdge> &Edges,
                             cudaGraphNode_t *From, cudaGraphNode_t *To,
                             cudaGraphEdgeData *Data, size_t *Count) {
  if (!From && !To) {
    *Count = Edges.size();
    return Data ? cudaErrorInvalidValue : cudaSuccess;
  }
  for (size_t I = 0; I < std::min(*Count, Edges.size()); ++I)
    if (!Data && !(Edges[I].Data == cudaGraphEdgeData{}))
      return cudaErrorLossyQuery;
  for (size_t I = 0; I < *Count; ++I) {
    NamedEdge Edge = I < Edges.size() ? Edges[I] : NamedEdge{};
    if (From)
      From[I] = handleOf(Edge.From);
    if (To)
      To[I] = handleOf(Edge.To);
    if (Data)
      Data[I] = Edge.Data;
  }
  *Count = std::min(*Count, Edges.size());
  return cudaSuccess;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t Handle, cudaGraphNode_t *From,
                              cudaGraphNode_t *To, cudaGraphEdgeData *Data,
                              size_t *Count) {
  Guard Held(graphState().Lock);
  Graph *What = graphState().Handles.graph(Handle);
  if (!What || !Count || !From != !To)
    return cudaErrorInvalidValue;
  std::vector<NamedEdge> Edges;
  for (GraphNode *Each : What->nodes())
    for (const GraphEdge &User : Each->Users)
      Edges.push_back({Each, User.Other, User.Data});
  return tellEdges(Edges, From, To, Data, Count);
}

/// Tells the edges of a node on one side, each by the node at its other end.
static cudaError_t tellNeighbours(cudaGraphNode_t Node,
                                  std::vector<GraphEdge> GraphNode::*Side,
                                  cudaGraphNode_t *Out, cudaGraphEdgeData *Data,
                                  size_t *Count) {
  Guard Held(graphState().Lock);
  GraphNode *What = graphState().Handles.node(Node);
  if (!What || !Count)
    return cudaErrorInvalidValue;
  std::vector<NamedEdge> Edges;
  for (const GraphEdge &Each : What->*Side)
    Edges.push_back({Each.Other, What, Each.Data});
  return tellEdges(Edges, Out, nullptr, Data, Count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t Node,
                                         cudaGraphNode_t *Out,
                                         cudaGraphEdgeData *Data,
                                         size_t *Count) {
  return tellNeighbours(Node, &GraphNode::Needs, Out, Data, Count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t Node,
                                           cudaGraphNode_t *Out,
                                           cudaGraphEdgeData *Data,
                                           size_t *Count) {
  return tellNeighbours(Node, &GraphNode::Users, Out, Data, Count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t Handle,
                                     const cudaGraphNode_t *From,
                                     const cudaGraphNode_t *To,
                                     const cudaGraphEdgeData *Data,
                                     size_t Count) {
  Guard Held(graphState().Lock);
  std::vector<NamedEdge> Edges;
  Graph *What = graphState().Handles.graph(Handle);
  if (!What || !readEdges(From, To, Data, Count, Edges))
    return cudaErrorInvalidValue;
  for (size_t I = 0; I < Edges.size(); ++I) {
    cudaError_t Error =
        What->connect(*Edges[I].From, *Edges[I].To, Edges[I].Data);
    if (Error == cudaSuccess)
      continue;
    while (I-- > 0)
      (void)What->disconnect(*Edges[I].From, *Edges[I].To, Edges[I].Data);
    return Error;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t Handle,
                                        const cudaGraphNode_t *From,
                                        const cudaGraphNode_t *To,
                                        const cudaGraphEdgeData *Data,
                                        size_t Count) {
  Guard Held(graphState().Lock);
  std::vector<NamedEdge> Edges;
  Graph *What = graphState().Handles.graph(Handle);
  if (!What || !readEdges(From, To, Data, Count, Edges))
    return cudaErrorInvalidValue;
  if (Count > 0 && What->usesMemoryNodes())
    return cudaErrorNotSupported;
  for (size_t I = 0; I < Edges.size(); ++I) {
    cudaError_t Error =
        What->disconnect(*Edges[I].From, *Edges[I].To, Edges[I].Data);
    if (Error == cudaSuccess)
      continue;
    while (I-- > 0)
      (void)What->connect(*Edges[I].From, *Edges[I].To, Edges[I].Data);
    return Error;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t Node) {
  std::unique_ptr<GraphNode> Gone;
  Guard Held(graphState().Lock);
  GraphNode *What = graphState().Handles.node(Node);
  if (!What || What->Of.Capturing)
    return cudaErrorInvalidValue;
  if (What->Of.usesMemoryNodes())
    return cudaErrorNotSupported;
  Gone = What->Of.take(*What);
  return cudaSuccess;
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *Out, void *Pointer,
                                 cudaHostFn_t Destroy, unsigned References,
                                 unsigned Flags) {
  if (!Out || !Destroy || References == 0 ||
      Flags != cudaUserObjectNoDestructorSync)
    return cudaErrorInvalidValue;
  *Out = handleOf(new UserObject(Pointer, Destroy, References));
  return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t Handle, unsigned Count) {
  UserObject *Object = graphState().Handles.object(Handle);
  if (!Object || Count == 0)
    return cudaErrorInvalidValue;
  Object->retain(Count);
  return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t Handle, unsigned Count) {
  UserObject *Object = graphState().Handles.object(Handle);
  return Object && Count > 0 && Object->release(Count) ? cudaSuccess
                                                       : cudaErrorInvalidValue;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t Handle,
                                      cudaUserObject_t Thing, unsigned Count,
                                      unsigned Flags) {
  Guard Held(graphState().Lock);
  Graph *What = graphState().Handles.graph(Handle);
  UserObject *Object = graphState().Handles.object(Thing);
  if (!What || !Object || Count == 0 || (Flags & ~cudaGraphUserObjectMove))
    return cudaErrorInvalidValue;
  if (!(Flags & cudaGraphUserObjectMove))
    Object->retain(Count);
  What->Objects.adopt(*Object, Count);
  return cudaSuccess;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t Handle,
                                       cudaUserObject_t Thing, unsigned Count) {
  {
    Guard Held(graphState().Lock);
    Graph *What = graphState().Handles.graph(Handle);
    UserObject *Object = graphState().Handles.object(Thing);
    if (!What || !Object || Count == 0 || !What->Objects.yield(*Object, Count))
      return cudaErrorInvalidValue;
  }
  return emulated::cudaUserObjectRelease(Thing, Count);
}

} // namespace blockmaestro::emulated
