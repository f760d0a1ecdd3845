// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launches.h"

#include "Emulator.h"
#include "Machine.h"
#include "PackLaunch.h"

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

} // namespace blockmaestro::emulated
