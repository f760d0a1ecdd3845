// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launches.h"

#include "Calls.h"
#include "Emulator.h"
#include "Events.h"
#include "Machine.h"
#include "PackLaunch.h"
#include "Streams.h"

#include <optional>

namespace blockmaestro::emulated {
namespace {

using Guard = std::lock_guard<std::mutex>;

/// The kernel of a stub, as it is now.
std::optional<EmulatedKernel> kernelNow(const void *Function) {
  EngineState &State = engineState();
  Guard Held(State.Lock);
  const EmulatedKernel *Found = kernelOf(State, Function);
  return Found ? std::optional<EmulatedKernel>(*Found) : std::nullopt;
}

/// How many blocks of the shape the device holds at a time.
uint64_t blocksAtATime(const KernelRecord &Kernel, dim3 Block, size_t Shared) {
  int Threads = static_cast<int>(Block.x * Block.y * Block.z);
  int OnOne = emulatedOccupancy(Threads, Kernel.StaticSharedBytes + Shared);
  return uint64_t(OnOne) * uint64_t(emulatedProperties().multiProcessorCount);
}

/// What CUDA 13 says to the shape; Kernel is null when there is none. Earlier
/// versions had cudaErrorInvalidConfiguration for a grid or block that is empty
/// or too large.
cudaError_t checkShape(const EmulatedKernel *Kernel, const KernelLaunch &What) {
  if (!emulatedShapeFits(What.Grid, What.Block))
    return cudaErrorInvalidValue;
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  if (What.SharedBytes > Kernel->MaxDynamicSharedBytes)
    return What.Cooperative ? cudaErrorCooperativeLaunchTooLarge
                            : cudaErrorInvalidValue;
  const uint64_t Blocks = uint64_t(What.Grid.x) * What.Grid.y * What.Grid.z;
  if (What.Cooperative &&
      Blocks > blocksAtATime(*Kernel->Record, What.Block, What.SharedBytes))
    return cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

void note(const std::string &About, const std::string &Why) {
  if (Notes *Reasons = engineState().Reasons)
    Reasons->add(About, Why);
}

/// What the attributes of a launch ask for beyond its shape.
struct LaunchExtras {
  bool Cooperative = false;
  int Priority = 0;
  cudaEvent_t Behind = nullptr; ///< To be recorded when all blocks have ended.
};

bool asksForCluster(const cudaLaunchAttributeValue &Value) {
  return Value.clusterDim.x * Value.clusterDim.y * Value.clusterDim.z > 1;
}

cudaError_t notSupported(const void *Function, const std::string &What) {
  std::optional<EmulatedKernel> Kernel = kernelNow(Function);
  note(Kernel ? Kernel->Record->Name : "", What + " is not emulated");
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
    return asksForCluster(Given.val)
               ? notSupported(Function, "a launch in clusters of blocks")
               : cudaSuccess;
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

cudaError_t checkLaunch(const Launch &What) {
  std::optional<EmulatedKernel> Kernel;
  {
    EngineState &State = engineState();
    Guard Held(State.Lock);
    auto Found = State.Kernels.find(What.Kernel);
    if (Found != State.Kernels.end())
      Kernel = Found->second;
  }
  KernelLaunch Asked;
  Asked.Grid = dim3(What.Grid.X, What.Grid.Y, What.Grid.Z);
  Asked.Block = dim3(What.Block.X, What.Block.Y, What.Block.Z);
  Asked.SharedBytes = What.DynamicSharedBytes;
  Asked.Cooperative = What.Cooperative;
  return checkShape(Kernel ? &*Kernel : nullptr, Asked);
}

cudaError_t prepareKernel(const Launch &What) {
  EngineState &State = engineState();
  Status Ready = State.Processor->prepare(What);
  if (!Ready.ok()) {
    if (State.Reasons)
      State.Reasons->addFailure(Ready.message());
    return cudaErrorNotSupported;
  }
  Guard Held(State.Lock);
  State.Kernels[What.Kernel].Prepared = true;
  return cudaSuccess;
}

cudaError_t launchWork(const KernelLaunch &Asked, Work &Out) {
  std::optional<EmulatedKernel> Kernel = kernelNow(Asked.Function);
  cudaError_t Error = checkShape(Kernel ? &*Kernel : nullptr, Asked);
  if (Error != cudaSuccess)
    return Error;
  if (!Asked.Args && !Kernel->Record->Parameters.empty())
    return cudaErrorInvalidValue;
  std::shared_ptr<Launch> Packed = packLaunch(
      *Kernel->Record, Asked.Grid, Asked.Block, Asked.Args, Asked.SharedBytes);
  Packed->Cooperative = Asked.Cooperative;
  Packed->Id = engineState().LaunchIds++;
  if (!Kernel->Prepared)
    Error = prepareKernel(*Packed);
  Out = Work();
  Out.Blocks = std::move(Packed);
  return Error;
}

cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block,
                             void **Args, size_t SharedBytes,
                             cudaStream_t Stream) {
  return submitLaunch({Function, Grid, Block, Args, SharedBytes, false}, Stream,
                      0);
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
                          Config->dynamicSmemBytes, Extras.Cooperative},
                         Config->stream, Extras.Priority);
  return Error == cudaSuccess && Extras.Behind
             ? emulated::cudaEventRecord(Extras.Behind, Config->stream)
             : Error;
}

} // namespace blockmaestro::emulated
