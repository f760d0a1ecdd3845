// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls about attributes of kernel nodes.

#include "Calls.h"
#include "Graph.h"
#include "GraphParameters.h"
#include "GraphState.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

namespace {

/// Attributes that are kept for the program and change no result.
constexpr std::array Kept = {
    cudaLaunchAttributeAccessPolicyWindow,
    cudaLaunchAttributePriority,
    cudaLaunchAttributeMemSyncDomainMap,
    cudaLaunchAttributeMemSyncDomain,
    cudaLaunchAttributePreferredSharedMemoryCarveout,
};

bool isKept(cudaLaunchAttributeID Which) {
  return std::find(Kept.begin(), Kept.end(), Which) != Kept.end();
}

GraphNode *kernelNode(cudaGraphNode_t Handle) {
  GraphNode *Node = graphState().Handles.node(Handle);
  return Node && std::holds_alternative<LaunchCommand>(Node->What) ? Node
                                                                   : nullptr;
}

} // namespace

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t To,
                                              cudaGraphNode_t From) {
  Guard Held(graphState().Lock);
  GraphNode *Target = kernelNode(To);
  GraphNode *Source = kernelNode(From);
  if (!Target || !Source)
    return cudaErrorInvalidValue;
  const Launch &Like = *std::get<LaunchCommand>(Source->What).What;
  cudaError_t Error = setGrouping(std::get<LaunchCommand>(Target->What),
                                  Like.Cooperative, Like.Cluster);
  if (Error == cudaSuccess)
    Target->Attributes = Source->Attributes;
  return Error;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t Handle,
                                            cudaLaunchAttributeID Which,
                                            cudaLaunchAttributeValue *Out) {
  Guard Held(graphState().Lock);
  GraphNode *Node = kernelNode(Handle);
  if (!Node || !Out)
    return cudaErrorInvalidValue;
  *Out = {};
  if (Which == cudaLaunchAttributeCooperative) {
    Out->cooperative = std::get<LaunchCommand>(Node->What).What->Cooperative;
    return cudaSuccess;
  }
  if (Which == cudaLaunchAttributeClusterDimension) {
    const Dim3 Cluster = std::get<LaunchCommand>(Node->What).What->Cluster;
    Out->clusterDim = {Cluster.X, Cluster.Y, Cluster.Z};
    return cudaSuccess;
  }
  if (!isKept(Which))
    return cudaErrorInvalidValue;
  auto Set = Node->Attributes.find(Which);
  if (Set != Node->Attributes.end())
    *Out = Set->second;
  else if (Which == cudaLaunchAttributePreferredSharedMemoryCarveout)
    Out->sharedMemCarveout = unsigned(cudaSharedmemCarveoutDefault);
  return cudaSuccess;
}

cudaError_t
cudaGraphKernelNodeSetAttribute(cudaGraphNode_t Handle,
                                cudaLaunchAttributeID Which,
                                const cudaLaunchAttributeValue *Value) {
  Guard Held(graphState().Lock);
  GraphNode *Node = kernelNode(Handle);
  if (!Node || !Value)
    return cudaErrorInvalidValue;
  if (Which == cudaLaunchAttributeCooperative) {
    LaunchCommand &What = std::get<LaunchCommand>(Node->What);
    return setGrouping(What, Value->cooperative != 0, What.What->Cluster);
  }
  if (Which == cudaLaunchAttributeClusterDimension) {
    LaunchCommand &What = std::get<LaunchCommand>(Node->What);
    const Dim3 Cluster = {Value->clusterDim.x, Value->clusterDim.y,
                          Value->clusterDim.z};
    return Cluster.count() == 0
               ? cudaErrorInvalidValue
               : setGrouping(What, What.What->Cooperative, Cluster);
  }
  if (!isKept(Which))
    return cudaErrorNotSupported;
  Node->Attributes[Which] = *Value;
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
