// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Capture.h"
#include "Events.h"
#include "Launches.h"
#include "Streams.h"

#include <string>

namespace blockmaestro::emulated {
namespace {

/// What the attributes of a launch ask for beyond its shape.
struct LaunchExtras {
  bool Cooperative = false;
  dim3 Cluster = dim3(0, 0, 0);
  int Priority = 0;
  cudaEvent_t Behind = nullptr; ///< To be recorded when all blocks have ended.
};

cudaError_t notSupported(const void *Function, const std::string &What) {
  EngineState &State = engineState();
  const KernelRecord *Kernel = recordOf(State, Function);
  if (State.Reasons)
    State.Reasons->add(Kernel ? Kernel->Name : "", What + " is not emulated");
  return cudaErrorNotSupported;
}

/// Hints are accepted and not followed. That one launch may begin before
/// another has ended is a permission nobody has to make use of.
cudaError_t readAttribute(const cudaLaunchAttribute &Given,
                          const void *Function, LaunchExtras &Out) {
  switch (Given.id) {
  case cudaLaunchAttributeCooperative:
    Out.Cooperative = Given.val.cooperative != 0;
    return cudaSuccess;
  case cudaLaunchAttributePriority:
    Out.Priority = Given.val.priority;
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    Out.Cluster = dim3(Given.val.clusterDim.x, Given.val.clusterDim.y,
                       Given.val.clusterDim.z);
    return Out.Cluster.x && Out.Cluster.y && Out.Cluster.z
               ? cudaSuccess
               : cudaErrorInvalidValue;
  case cudaLaunchAttributeProgrammaticEvent:
    Out.Behind = Given.val.programmaticEvent.event;
    return cudaSuccess;
  case cudaLaunchAttributeLaunchCompletionEvent:
    Out.Behind = Given.val.launchCompletionEvent.event;
    return cudaSuccess;
  case cudaLaunchAttributeDeviceUpdatableKernelNode:
    return notSupported(Function, "a node that the device updates");
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeProgrammaticStreamSerialization:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredClusterDimension:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
  case cudaLaunchAttributeNvlinkUtilCentricScheduling:
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t submitLaunch(const KernelLaunch &Asked, cudaStream_t Stream,
                         int Priority) {
  Work What;
  cudaError_t Out = checkStream(Stream);
  if (Out == cudaSuccess)
    Out = launchWork(Asked, What);
  if (Out != cudaSuccess ||
      capturesInstead(Stream, LaunchCommand{Asked.Function, What.Blocks}, Out))
    return Out;
  What.Priority = Priority;
  return enqueue(Stream, std::move(What));
}

} // namespace

cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block,
                             void **Args, size_t SharedBytes,
                             cudaStream_t Stream) {
  return submitLaunch({Function, Grid, Block, Args, SharedBytes}, Stream, 0);
}

cudaError_t cudaLaunchCooperativeKernel(const void *Function, dim3 Grid,
                                        dim3 Block, void **Args,
                                        size_t SharedBytes,
                                        cudaStream_t Stream) {
  return submitLaunch({Function, Grid, Block, Args, SharedBytes, true}, Stream,
                      0);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Function, void **Args) {
  if (!Config || (Config->numAttrs > 0 && !Config->attrs))
    return cudaErrorInvalidValue;
  LaunchExtras Extras;
  for (unsigned I = 0; I < Config->numAttrs; ++I)
    if (cudaError_t Error = readAttribute(Config->attrs[I], Function, Extras);
        Error != cudaSuccess)
      return Error;
  OperationRef Ignored;
  cudaError_t Error =
      Extras.Behind ? eventOperation(Extras.Behind, Ignored) : cudaSuccess;
  if (Error == cudaSuccess)
    Error = submitLaunch({Function, Config->gridDim, Config->blockDim, Args,
                          Config->dynamicSmemBytes, Extras.Cooperative,
                          Extras.Cluster},
                         Config->stream, Extras.Priority);
  return Error == cudaSuccess && Extras.Behind
             ? emulated::cudaEventRecord(Extras.Behind, Config->stream)
             : Error;
}

} // namespace blockmaestro::emulated
