// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls about nodes of each kind: adding them, and their parameters.

#include "AbsentCalls.h"
#include "Calls.h"
#include "GraphEdges.h"
#include "GraphParameters.h"
#include "GraphState.h"
#include "Streams.h"

#include <algorithm>
#include <utility>

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

namespace {

/// Where a new node goes, as all calls that add one say it.
struct NewNode {
  cudaGraphNode_t *Out;
  cudaGraph_t Into;
  const cudaGraphNode_t *Nodes;
  size_t Count;
  const cudaGraphEdgeData *Data = nullptr;
};

/// Adds the node that Make adds to the graph behind the needs.
template <typename F> cudaError_t place(const NewNode &Where, F Make) {
  Guard Held(graphState().Lock);
  Graph *Into = graphState().Handles.graph(Where.Into);
  std::vector<GraphEdge> Needs;
  if (!Where.Out || !Into ||
      !readNeeds(Where.Nodes, Where.Data, Where.Count, Needs))
    return cudaErrorInvalidValue;
  GraphNode *Added = Make(*Into, Needs);
  if (!Added)
    return cudaErrorInvalidValue;
  *Where.Out = handleOf(Added);
  return cudaSuccess;
}

/// Adds a node for work made of parameters.
template <typename T>
cudaError_t addWork(const NewNode &Where, const T *Parameters) {
  Command What;
  cudaError_t Error =
      Parameters ? commandOf(*Parameters, What) : cudaErrorInvalidValue;
  if (Error != cudaSuccess)
    return Error;
  return place(Where, [&](Graph &Into, const std::vector<GraphEdge> &Needs) {
    return Into.add(std::move(What), Needs);
  });
}

/// Whether the graph, or one it is a child of, is Other.
bool isInside(const Graph &Inner, const Graph &Other) {
  for (const Graph *Each = &Inner;; Each = &Each->Parent->Of) {
    if (Each == &Other)
      return true;
    if (!Each->Parent)
      return false;
  }
}

/// The child becomes part of the graph itself, or a copy of it does.
cudaError_t addChild(const NewNode &Where, cudaGraph_t Handle, bool Move) {
  cudaError_t Error = cudaErrorInvalidValue;
  (void)place(
      Where,
      [&](Graph &Into, const std::vector<GraphEdge> &Needs) -> GraphNode * {
        Graph *Child = graphState().Handles.graph(Handle);
        bool Movable = !Move || (Child && !Child->Parent && !Child->Capturing &&
                                 !isInside(Into, *Child));
        if (!Child || !Movable)
          return nullptr;
        if (!Move && Child->usesMemoryNodes()) {
          Error = cudaErrorNotSupported;
          return nullptr;
        }
        std::unique_ptr<Graph> Inside =
            Move ? std::unique_ptr<Graph>(Child) : Child->clone();
        GraphNode *Added = Into.addChild(Inside, Needs);
        if (!Added && Move)
          (void)Inside.release();
        Error = Added ? cudaSuccess : cudaErrorInvalidValue;
        return Added;
      });
  return Error;
}

/// Whether memory of these properties is what the device has.
bool isDeviceMemory(const cudaMemAllocNodeParams &Asked) {
  const cudaMemPoolProps &Properties = Asked.poolProps;
  return Properties.allocType == cudaMemAllocationTypePinned &&
         Properties.handleTypes == cudaMemHandleTypeNone &&
         Properties.location.type == cudaMemLocationTypeDevice &&
         Properties.location.id == 0 && Asked.bytesize > 0;
}

cudaError_t addAllocation(const NewNode &Where, cudaMemAllocNodeParams &Asked) {
  if (!isDeviceMemory(Asked))
    return cudaErrorInvalidValue;
  AllocateCommand What;
  What.What = Asked;
  What.What.accessDescs = nullptr;
  What.What.accessDescCount = 0;
  cudaError_t Error =
      graphState().Memory.reserve(Asked.bytesize, &What.What.dptr);
  if (Error != cudaSuccess)
    return Error;
  Error = place(Where, [&](Graph &Into, const std::vector<GraphEdge> &Needs) {
    return Into.add(What, Needs);
  });
  if (Error == cudaSuccess)
    Asked.dptr = What.What.dptr;
  else
    graphState().Memory.dropped(What.What.dptr);
  return Error;
}

cudaError_t addFree(const NewNode &Where, void *Address) {
  return place(
      Where,
      [&](Graph &Into, const std::vector<GraphEdge> &Needs) -> GraphNode * {
        return claimGraphFree(Into, Address) == cudaSuccess
                   ? Into.add(FreeCommand{Address}, Needs)
                   : nullptr;
      });
}

/// Replaces a node's work by other work of its kind.
cudaError_t replace(cudaGraphNode_t Handle, Command What) {
  Guard Held(graphState().Lock);
  GraphNode *Node = graphState().Handles.node(Handle);
  if (!Node || Node->Child || Node->What.index() != What.index())
    return cudaErrorInvalidValue;
  return setParameters(Node->What, std::move(What));
}

template <typename T>
cudaError_t setWork(cudaGraphNode_t Node, const T *Parameters) {
  Command What;
  cudaError_t Error =
      Parameters ? commandOf(*Parameters, What) : cudaErrorInvalidValue;
  return Error != cudaSuccess ? Error : replace(Node, std::move(What));
}

template <typename T> cudaError_t tellWork(cudaGraphNode_t Handle, T *Out) {
  Guard Held(graphState().Lock);
  GraphNode *Node = graphState().Handles.node(Handle);
  return Node && Out && tell(*Node, *Out) ? cudaSuccess : cudaErrorInvalidValue;
}

template <typename T>
cudaError_t tellEvent(cudaGraphNode_t Handle, cudaEvent_t *Out) {
  Guard Held(graphState().Lock);
  GraphNode *Node = graphState().Handles.node(Handle);
  const T *What = Node ? std::get_if<T>(&Node->What) : nullptr;
  if (!What || !Out)
    return cudaErrorInvalidValue;
  *Out = What->Event;
  return cudaSuccess;
}

/// Whether what must be zero is.
bool isClean(const cudaGraphNodeParams &Given) {
  return std::all_of(std::begin(Given.reserved0), std::end(Given.reserved0),
                     [](int Each) { return Each == 0; }) &&
         Given.reserved2 == 0;
}

} // namespace

cudaError_t cudaGraphAddNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                             const cudaGraphNode_t *Nodes,
                             const cudaGraphEdgeData *Data, size_t Count,
                             cudaGraphNodeParams *Given) {
  NewNode Where{Out, Into, Nodes, Count, Data};
  if (!Given || !isClean(*Given))
    return cudaErrorInvalidValue;
  switch (Given->type) {
  case cudaGraphNodeTypeGraph:
    return addChild(Where, Given->graph.graph,
                    Given->graph.ownership == cudaGraphChildGraphOwnershipMove);
  case cudaGraphNodeTypeMemAlloc: {
    cudaMemAllocNodeParams Asked = {Given->alloc.poolProps, nullptr, 0,
                                    Given->alloc.bytesize, nullptr};
    cudaError_t Error = addAllocation(Where, Asked);
    if (Error == cudaSuccess)
      Given->alloc.dptr = Asked.dptr;
    return Error;
  }
  case cudaGraphNodeTypeMemFree:
    return addFree(Where, Given->free.dptr);
  case cudaGraphNodeTypeConditional:
    noteAbsent(ApiCall::cudaGraphConditionalHandleCreate,
               AbsentFrom::EmulatedDevice);
    return cudaErrorNotSupported;
  default:
    return addWork(Where, Given);
  }
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t Node,
                                   cudaGraphNodeParams *Given) {
  return Given && isClean(*Given) ? setWork(Node, Given)
                                  : cudaErrorInvalidValue;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                   const cudaGraphNode_t *Nodes, size_t Count,
                                   const cudaKernelNodeParams *Given) {
  return addWork({Out, Into, Nodes, Count}, Given);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t Node,
                                         cudaKernelNodeParams *Out) {
  return tellWork(Node, Out);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t Node,
                                         const cudaKernelNodeParams *Given) {
  return setWork(Node, Given);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                   const cudaGraphNode_t *Nodes, size_t Count,
                                   const cudaMemcpy3DParms *Given) {
  return addWork({Out, Into, Nodes, Count}, Given);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *Out, cudaGraph_t Into,
                                     const cudaGraphNode_t *Nodes, size_t Count,
                                     void *To, const void *From, size_t Bytes,
                                     cudaMemcpyKind Kind) {
  LinearCopyParams Given{To, From, Bytes, Kind};
  return addWork({Out, Into, Nodes, Count}, &Given);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *Out,
                                           cudaGraph_t Into,
                                           const cudaGraphNode_t *Nodes,
                                           size_t Count, const void *Symbol,
                                           const void *From, size_t Bytes,
                                           size_t Offset, cudaMemcpyKind Kind) {
  SymbolCopyParams Given{Symbol, const_cast<void *>(From), Bytes, Offset, Kind,
                         true};
  return addWork({Out, Into, Nodes, Count}, &Given);
}

cudaError_t
cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *Out, cudaGraph_t Into,
                                 const cudaGraphNode_t *Nodes, size_t Count,
                                 void *To, const void *Symbol, size_t Bytes,
                                 size_t Offset, cudaMemcpyKind Kind) {
  SymbolCopyParams Given{Symbol, To, Bytes, Offset, Kind, false};
  return addWork({Out, Into, Nodes, Count}, &Given);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t Node,
                                         cudaMemcpy3DParms *Out) {
  return tellWork(Node, Out);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t Node,
                                         const cudaMemcpy3DParms *Given) {
  return setWork(Node, Given);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t Node, void *To,
                                           const void *From, size_t Bytes,
                                           cudaMemcpyKind Kind) {
  LinearCopyParams Given{To, From, Bytes, Kind};
  return setWork(Node, &Given);
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t Node,
                                                 const void *Symbol,
                                                 const void *From, size_t Bytes,
                                                 size_t Offset,
                                                 cudaMemcpyKind Kind) {
  SymbolCopyParams Given{Symbol, const_cast<void *>(From), Bytes, Offset, Kind,
                         true};
  return setWork(Node, &Given);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t Node,
                                                   void *To, const void *Symbol,
                                                   size_t Bytes, size_t Offset,
                                                   cudaMemcpyKind Kind) {
  SymbolCopyParams Given{Symbol, To, Bytes, Offset, Kind, false};
  return setWork(Node, &Given);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                   const cudaGraphNode_t *Nodes, size_t Count,
                                   const cudaMemsetParams *Given) {
  return addWork({Out, Into, Nodes, Count}, Given);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t Node,
                                         cudaMemsetParams *Out) {
  return tellWork(Node, Out);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t Node,
                                         const cudaMemsetParams *Given) {
  return setWork(Node, Given);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                 const cudaGraphNode_t *Nodes, size_t Count,
                                 const cudaHostNodeParams *Given) {
  return addWork({Out, Into, Nodes, Count}, Given);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t Node,
                                       cudaHostNodeParams *Out) {
  return tellWork(Node, Out);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t Node,
                                       const cudaHostNodeParams *Given) {
  return setWork(Node, Given);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                       const cudaGraphNode_t *Nodes,
                                       size_t Count, cudaGraph_t Child) {
  return addChild({Out, Into, Nodes, Count}, Child, false);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t Handle,
                                            cudaGraph_t *Out) {
  Guard Held(graphState().Lock);
  GraphNode *Node = graphState().Handles.node(Handle);
  if (!Node || !Node->Child || !Out)
    return cudaErrorInvalidValue;
  *Out = handleOf(Node->Child.get());
  return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                  const cudaGraphNode_t *Nodes, size_t Count) {
  return place({Out, Into, Nodes, Count},
               [](Graph &To, const std::vector<GraphEdge> &Needs) {
                 return To.add(EmptyCommand{}, Needs);
               });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                        const cudaGraphNode_t *Nodes,
                                        size_t Count, cudaEvent_t Event) {
  RecordCommand Given{Event, cudaEventRecordExternal};
  return addWork({Out, Into, Nodes, Count}, &Given);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t Node,
                                             cudaEvent_t *Out) {
  return tellEvent<RecordCommand>(Node, Out);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t Node,
                                             cudaEvent_t Event) {
  RecordCommand Given{Event, cudaEventRecordExternal};
  return setWork(Node, &Given);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                      const cudaGraphNode_t *Nodes,
                                      size_t Count, cudaEvent_t Event) {
  WaitCommand Given{Event, cudaEventWaitExternal};
  return addWork({Out, Into, Nodes, Count}, &Given);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t Node,
                                           cudaEvent_t *Out) {
  return tellEvent<WaitCommand>(Node, Out);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t Node,
                                           cudaEvent_t Event) {
  WaitCommand Given{Event, cudaEventWaitExternal};
  return setWork(Node, &Given);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                     const cudaGraphNode_t *Nodes, size_t Count,
                                     cudaMemAllocNodeParams *Given) {
  return Given ? addAllocation({Out, Into, Nodes, Count}, *Given)
               : cudaErrorInvalidValue;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t Node,
                                           cudaMemAllocNodeParams *Out) {
  return tellWork(Node, Out);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *Out, cudaGraph_t Into,
                                    const cudaGraphNode_t *Nodes, size_t Count,
                                    void *Address) {
  return addFree({Out, Into, Nodes, Count}, Address);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t Handle, void *Out) {
  Guard Held(graphState().Lock);
  GraphNode *Node = graphState().Handles.node(Handle);
  const FreeCommand *What =
      Node ? std::get_if<FreeCommand>(&Node->What) : nullptr;
  if (!What || !Out)
    return cudaErrorInvalidValue;
  *static_cast<void **>(Out) = What->Address;
  return cudaSuccess;
}

cudaError_t cudaDeviceGraphMemTrim(int Device) {
  if (Device != 0)
    return cudaErrorInvalidDevice;
  cudaError_t Error = waitForAll();
  if (Error == cudaSuccess)
    graphState().Memory.trim();
  return Error;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int Device,
                                           cudaGraphMemAttributeType Which,
                                           void *Out) {
  if (Device != 0)
    return cudaErrorInvalidDevice;
  return Out ? graphState().Memory.attribute(Which,
                                             *static_cast<uint64_t *>(Out))
             : cudaErrorInvalidValue;
}

/// A high mark can only be set to zero.
cudaError_t cudaDeviceSetGraphMemAttribute(int Device,
                                           cudaGraphMemAttributeType Which,
                                           void *Value) {
  if (Device != 0)
    return cudaErrorInvalidDevice;
  return Value && *static_cast<uint64_t *>(Value) == 0
             ? graphState().Memory.resetHigh(Which)
             : cudaErrorInvalidValue;
}

} // namespace blockmaestro::emulated
