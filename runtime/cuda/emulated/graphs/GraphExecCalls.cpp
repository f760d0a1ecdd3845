// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls about executable graphs.

#include "AbsentCalls.h"
#include "Calls.h"
#include "Capture.h"
#include "GraphExec.h"
#include "GraphParameters.h"
#include "GraphState.h"
#include "GraphUpdate.h"
#include "Streams.h"

#include <utility>

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

namespace {

/// A node of a cycle, in the graph or a child graph; null when there is none.
GraphNode *cycleIn(const Graph &From) {
  if (GraphNode *Node = From.nodeOfCycle())
    return Node;
  for (GraphNode *Each : From.nodes())
    if (GraphNode *Inside = Each->Child ? cycleIn(*Each->Child) : nullptr)
      return Inside;
  return nullptr;
}

struct Instance {
  GraphExec *Made = nullptr;
  cudaGraphInstantiateResult Result = cudaGraphInstantiateError;
  GraphNode *At = nullptr;
  cudaError_t Error = cudaErrorInvalidValue;
};

Instance instantiate(cudaGraph_t Handle, unsigned long long Flags) {
  constexpr unsigned long long Known =
      cudaGraphInstantiateFlagAutoFreeOnLaunch |
      cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;
  Instance Out;
  if (Flags & cudaGraphInstantiateFlagDeviceLaunch) {
    Out.Error = cudaErrorNotSupported;
    return Out;
  }
  Guard Held(graphState().Lock);
  Graph *From = graphState().Handles.graph(Handle);
  if (!From || From->Capturing || (Flags & ~Known))
    return Out;
  Out.At = cycleIn(*From);
  if (Out.At) {
    Out.Result = cudaGraphInstantiateInvalidStructure;
  } else if (From->usesMemoryNodes() && *From->Executables > 0) {
    Out.Error = cudaErrorNotSupported;
  } else {
    Out.Made = new GraphExec(*From, Flags);
    Out.Result = cudaGraphInstantiateSuccess;
    Out.Error = cudaSuccess;
  }
  return Out;
}

/// An executable graph and its copy of a node of the graph it was made of.
struct Target {
  GraphExec *Exec = nullptr;
  GraphNode *Node = nullptr;
};

Target find(cudaGraphExec_t Exec, cudaGraphNode_t Node) {
  Target Out;
  GraphNode *Original = graphState().Handles.node(Node);
  Out.Exec = graphState().Handles.exec(Exec);
  if (Out.Exec && Original)
    Out.Node = Out.Exec->copyOf(*Original);
  return Out;
}

bool isLinear(const Command &What) {
  auto *Copy = std::get_if<CopyCommand>(&What);
  return !Copy ||
         (Copy->What.extent.height == 1 && Copy->What.extent.depth == 1);
}

bool isEmpty(const Command &What) {
  auto *Copy = std::get_if<CopyCommand>(&What);
  return Copy && Copy->What.extent.width == 0;
}

cudaError_t change(cudaGraphExec_t Exec, cudaGraphNode_t Node, Command What) {
  Guard Held(graphState().Lock);
  Target To = find(Exec, Node);
  if (!To.Node || To.Node->Child || To.Node->What.index() != What.index() ||
      !isLinear(To.Node->What) || !isLinear(What) || isEmpty(What))
    return cudaErrorInvalidValue;
  if (auto *Old = std::get_if<LaunchCommand>(&To.Node->What))
    if (cudaError_t Error =
            keepGrouping(std::get<LaunchCommand>(What), *Old->What);
        Error != cudaSuccess)
      return Error;
  if (mayChange(To.Node->What, What) != cudaGraphExecUpdateSuccess)
    return cudaErrorInvalidValue;
  To.Node->What = std::move(What);
  To.Exec->changed();
  return cudaSuccess;
}

template <typename T>
cudaError_t setWork(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                    const T *Parameters) {
  Command What;
  cudaError_t Error =
      Parameters ? commandOf(*Parameters, What) : cudaErrorInvalidValue;
  return Error != cudaSuccess ? Error : change(Exec, Node, std::move(What));
}

bool canBeDisabled(const GraphNode &Node) {
  cudaGraphNodeType Type = Node.type();
  return Type == cudaGraphNodeTypeKernel || Type == cudaGraphNodeTypeMemcpy ||
         Type == cudaGraphNodeTypeMemset;
}

} // namespace

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Out, cudaGraph_t From,
                                 unsigned long long Flags) {
  if (!Out || (Flags & cudaGraphInstantiateFlagUpload))
    return cudaErrorInvalidValue;
  Instance New = instantiate(From, Flags);
  if (New.Made)
    *Out = handleOf(New.Made);
  return New.Error;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *Out,
                                          cudaGraph_t From,
                                          unsigned long long Flags) {
  return emulated::cudaGraphInstantiate(Out, From, Flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *Out,
                                           cudaGraph_t From,
                                           cudaGraphInstantiateParams *Asked) {
  if (!Out || !Asked)
    return cudaErrorInvalidValue;
  Instance New = instantiate(From, Asked->flags);
  if (New.Made)
    *Out = handleOf(New.Made);
  Asked->result_out = New.Result;
  Asked->errNode_out = handleOf(New.At);
  return New.Made && (Asked->flags & cudaGraphInstantiateFlagUpload)
             ? emulated::cudaGraphUpload(*Out, Asked->uploadStream)
             : New.Error;
}

cudaError_t
cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *Out, cudaGraph_t From,
                                    cudaGraphInstantiateParams *Asked) {
  return emulated::cudaGraphInstantiateWithParams(Out, From, Asked);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t Handle,
                                  unsigned long long *Out) {
  Guard Held(graphState().Lock);
  GraphExec *Exec = graphState().Handles.exec(Handle);
  if (!Exec || !Out)
    return cudaErrorInvalidValue;
  *Out = Exec->flags();
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Handle) {
  std::unique_ptr<GraphExec> Gone;
  Guard Held(graphState().Lock);
  Gone.reset(graphState().Handles.exec(Handle));
  if (!Gone)
    return cudaErrorInvalidValue;
  graphState().Handles.remove(Gone.get());
  return cudaSuccess;
}

cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const cudaKernelNodeParams *Given) {
  return setWork(Exec, Node, Given);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t Exec,
                                             cudaGraphNode_t Node,
                                             const cudaMemcpy3DParms *Given) {
  return setWork(Exec, Node, Given);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t Exec,
                                               cudaGraphNode_t Node, void *To,
                                               const void *From, size_t Bytes,
                                               cudaMemcpyKind Kind) {
  LinearCopyParams Given{To, From, Bytes, Kind};
  return setWork(Exec, Node, &Given);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t Exec, cudaGraphNode_t Node, const void *Symbol,
    const void *From, size_t Bytes, size_t Offset, cudaMemcpyKind Kind) {
  SymbolCopyParams Given{Symbol, const_cast<void *>(From), Bytes, Offset, Kind,
                         true};
  return setWork(Exec, Node, &Given);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t Exec, cudaGraphNode_t Node, void *To, const void *Symbol,
    size_t Bytes, size_t Offset, cudaMemcpyKind Kind) {
  SymbolCopyParams Given{Symbol, To, Bytes, Offset, Kind, false};
  return setWork(Exec, Node, &Given);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t Exec,
                                             cudaGraphNode_t Node,
                                             const cudaMemsetParams *Given) {
  return setWork(Exec, Node, Given);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t Exec,
                                           cudaGraphNode_t Node,
                                           const cudaHostNodeParams *Given) {
  return setWork(Exec, Node, Given);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t Exec,
                                                 cudaGraphNode_t Node,
                                                 cudaEvent_t Event) {
  RecordCommand Given{Event, cudaEventRecordExternal};
  return setWork(Exec, Node, &Given);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t Exec,
                                               cudaGraphNode_t Node,
                                               cudaEvent_t Event) {
  WaitCommand Given{Event, cudaEventWaitExternal};
  return setWork(Exec, Node, &Given);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t Exec,
                                                 cudaGraphNode_t Node,
                                                 cudaGraph_t Given) {
  Guard Held(graphState().Lock);
  Target To = find(Exec, Node);
  Graph *Child = graphState().Handles.graph(Given);
  if (!To.Node || !To.Node->Child || !Child)
    return cudaErrorInvalidValue;
  UpdateOutcome Out = updateGraph(*To.Node->Child, *Child);
  if (Out.Result != cudaGraphExecUpdateSuccess)
    return cudaErrorGraphExecUpdateFailure;
  To.Exec->changed();
  return cudaSuccess;
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t Exec,
                                       cudaGraphNode_t Node,
                                       cudaGraphNodeParams *Given) {
  if (!Given)
    return cudaErrorInvalidValue;
  return Given->type == cudaGraphNodeTypeGraph
             ? emulated::cudaGraphExecChildGraphNodeSetParams(
                   Exec, Node, Given->graph.graph)
             : setWork(Exec, Node, Given);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t Handle, cudaGraph_t Given,
                                cudaGraphExecUpdateResultInfo *Info) {
  Guard Held(graphState().Lock);
  GraphExec *Exec = graphState().Handles.exec(Handle);
  Graph *To = graphState().Handles.graph(Given);
  UpdateOutcome Out{cudaGraphExecUpdateError};
  if (Exec && To && !To->Capturing)
    Out = updateGraph(Exec->graph(), *To);
  if (Info)
    *Info = {Out.Result, handleOf(Out.At), handleOf(Out.From)};
  if (!Exec || !To)
    return cudaErrorInvalidValue;
  if (Out.Result != cudaGraphExecUpdateSuccess)
    return cudaErrorGraphExecUpdateFailure;
  Exec->changed();
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                    unsigned Enabled) {
  Guard Held(graphState().Lock);
  Target To = find(Exec, Node);
  if (!To.Node || !canBeDisabled(*To.Node))
    return cudaErrorInvalidValue;
  To.Node->Enabled = Enabled != 0;
  To.Exec->changed();
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                    unsigned *Out) {
  Guard Held(graphState().Lock);
  Target To = find(Exec, Node);
  if (!To.Node || !Out || !canBeDisabled(*To.Node))
    return cudaErrorInvalidValue;
  *Out = To.Node->Enabled;
  return cudaSuccess;
}

/// Makes what a launch needs; there is no other place to bring it to.
cudaError_t cudaGraphUpload(cudaGraphExec_t Handle, cudaStream_t Stream) {
  cudaError_t Error = cudaSuccess;
  if (refusesCapture(Stream, Error))
    return Error;
  Guard Held(graphState().Lock);
  GraphExec *Exec = graphState().Handles.exec(Handle);
  if (!Exec)
    return cudaErrorInvalidValue;
  Error = checkStream(Stream);
  if (Error == cudaSuccess)
    (void)Exec->plan(Error);
  return Error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t Handle, cudaStream_t Stream) {
  cudaError_t Error = cudaSuccess;
  if (refusesCapture(Stream, Error))
    return Error;
  Guard Held(graphState().Lock);
  GraphExec *Exec = graphState().Handles.exec(Handle);
  return Exec ? Exec->launch(Stream) : cudaErrorInvalidValue;
}

} // namespace blockmaestro::emulated
