// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launches.h"

#include "Emulator.h"
#include "Machine.h"
#include "PackLaunch.h"

#include <algorithm>
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

/// The cluster of a launch: what it asks for, what the kernel requires, or a
/// block; nothing where these are not the same, or too much.
std::optional<dim3> clusterFor(const EmulatedKernel &Kernel, dim3 Asked) {
  const std::array<uint32_t, 3> &Required = Kernel.Record->Cluster;
  dim3 Cluster(Required[0], Required[1], Required[2]);
  if (Cluster.x == 0)
    Cluster = Asked.x == 0 ? dim3(1, 1, 1) : Asked;
  else if (Asked.x != 0 && (Asked.x != Cluster.x || Asked.y != Cluster.y ||
                            Asked.z != Cluster.z))
    return std::nullopt;
  const unsigned Most =
      Kernel.LargeClusters ? LargestCluster : LargestPortableCluster;
  const bool Fits = std::max({Cluster.x, Cluster.y, Cluster.z}) <= Most &&
                    Cluster.x * Cluster.y * Cluster.z - 1 < Most;
  return Fits ? std::optional(Cluster) : std::nullopt;
}

bool divides(dim3 Cluster, dim3 Grid) {
  return Grid.x % Cluster.x == 0 && Grid.y % Cluster.y == 0 &&
         Grid.z % Cluster.z == 0;
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
  std::optional<dim3> Cluster = clusterFor(*Kernel, What.Cluster);
  if (!Cluster || !divides(*Cluster, What.Grid))
    return cudaErrorInvalidClusterSize;
  const uint64_t Blocks = uint64_t(What.Grid.x) * What.Grid.y * What.Grid.z;
  if (What.Cooperative &&
      Blocks > blocksAtATime(*Kernel->Record, What.Block, What.SharedBytes))
    return cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

} // namespace

uint64_t clustersAtATime(const KernelLaunch &What) {
  std::optional<EmulatedKernel> Kernel = kernelNow(What.Function);
  std::optional<dim3> Cluster =
      Kernel ? clusterFor(*Kernel, What.Cluster) : std::nullopt;
  return Cluster
             ? blocksAtATime(*Kernel->Record, What.Block, What.SharedBytes) /
                   (uint64_t(Cluster->x) * Cluster->y * Cluster->z)
             : 0;
}

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
  Asked.Cluster = dim3(What.Cluster.X, What.Cluster.Y, What.Cluster.Z);
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
  const dim3 Cluster = *clusterFor(*Kernel, Asked.Cluster);
  Packed->Cluster = {Cluster.x, Cluster.y, Cluster.z};
  Packed->Id = engineState().LaunchIds++;
  if (!Kernel->Prepared)
    Error = prepareKernel(*Packed);
  Out = Work();
  Out.Blocks = std::move(Packed);
  return Error;
}

} // namespace blockmaestro::emulated
