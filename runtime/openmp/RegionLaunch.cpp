// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionLaunch.h"

#include "Process.h"
#include "TaskRuns.h"

#include <cuda_runtime_api.h>

/// libomp's nteams-var: 0 where the program has said nothing.
extern "C" __attribute__((weak)) int omp_get_max_teams();

namespace blockmaestro::openmp {
namespace {

/// Makes the kernel's first argument, which only reductions across teams need.
Result<DeviceAddress> makeEnvironment(DeviceMemory &Memory,
                                      const KernelEnvironment &Of) {
  if (Of.ReductionBytes <= 0 || Of.ReductionLength <= 0)
    return DeviceAddress(0);
  constexpr size_t BufferOffset = 256;
  Result<DeviceAddress> Made = Memory.allocate(
      BufferOffset + size_t(Of.ReductionBytes) * size_t(Of.ReductionLength));
  if (!Made.ok())
    return Made;
  const LaunchEnvironment First = {
      0, 0, reinterpret_cast<void *>(*Made + BufferOffset)};
  if (Status Done = Memory.toDevice(*Made, &First, sizeof(First)); !Done.ok())
    return Done;
  return Made;
}

Status failed(const RegionKernel &Region, const char *Doing,
              cudaError_t Error) {
  return {StatusCode::Device,
          Region.Symbol + " " + Doing + ": " + cudaGetErrorString(Error)};
}

Status launch(const RegionKernel &Region, LaunchShape Shape, size_t SharedBytes,
              std::vector<uint64_t> Values) {
  std::vector<void *> Pointers;
  for (uint64_t &Each : Values)
    Pointers.push_back(&Each);
  cudaError_t Error =
      cudaLaunchKernel(Region.Kernel, dim3(Shape.Teams), dim3(Shape.Threads),
                       Pointers.data(), SharedBytes, nullptr);
  if (Error != cudaSuccess)
    return failed(Region, "cannot be launched", Error);
  Error = cudaStreamSynchronize(nullptr);
  return Error == cudaSuccess ? Status() : failed(Region, "has failed", Error);
}

LaunchShape shapeOf(const RegionKernel &Region, const RegionRequest &Asked) {
  const int MostTeams = omp_get_max_teams ? omp_get_max_teams() : 0;
  return shapeOf(Asked, Region.Environment, processorCount(), MostTeams);
}

/// How many threads run a task: those that its code is made for, whatever the
/// region's own `parallel` asks for.
uint32_t threadsOfTasks(const KnownTaskRegion &Tasks,
                        const RegionKernel &Region,
                        const RegionRequest &Asked) {
  return Tasks.In->Threads ? Tasks.In->Threads : shapeOf(Region, Asked).Threads;
}

/// Why the tasks of Region cannot run as a graph; empty where they can.
std::string reasonToLaunch(const TaskRegion &Region,
                           const RegionRequest &Asked) {
  if (!Region.Inspect)
    return Region.Why;
  if (Asked.Teams > 1)
    return "each of " + std::to_string(Asked.Teams) + " teams makes its own";
  return "";
}

} // namespace

unsigned processorCount() {
  int Device = 0;
  int Count = 0;
  if (cudaGetDevice(&Device) != cudaSuccess ||
      cudaDeviceGetAttribute(&Count, cudaDevAttrMultiProcessorCount, Device) !=
          cudaSuccess)
    return 1;
  return Count > 0 ? unsigned(Count) : 1;
}

MapList listOf(const KernelLaunch &Launch) {
  MapList Out;
  Out.Count = Launch.Count;
  Out.Bases = Launch.Bases;
  Out.Begins = Launch.Begins;
  Out.Sizes = Launch.Sizes;
  Out.Types = Launch.Types;
  Out.Names = Launch.Names;
  Out.Mappers = Launch.Mappers;
  return Out;
}

Status launchRegion(Offloading &On, const RegionKernel &Region,
                    const RegionRequest &Asked, const KernelLaunch &Launch,
                    const RegionArguments &Arguments) {
  Result<DeviceAddress> First = makeEnvironment(On.Memory, Region.Environment);
  if (!First.ok())
    return First.status();
  std::vector<uint64_t> Values = {*First};
  Values.insert(Values.end(), Arguments.Values.begin(), Arguments.Values.end());
  Status Done = launch(Region, shapeOf(Region, Asked),
                       Launch.DynamicSharedBytes, std::move(Values));
  if (*First)
    if (Status Released = On.Memory.release(*First); Done.ok())
      Done = Released;
  return Done;
}

Status runRegion(Offloading &On, const CallLocation *Where,
                 const RegionKernel &Region, const RegionRequest &Asked,
                 const KernelLaunch &Launch) {
  const MapList List = listOf(Launch);
  Result<RegionArguments> Arguments = On.Data.mapArguments(List);
  if (!Arguments.ok())
    return Arguments.status();
  const KnownTaskRegion Tasks = taskRegions().find(Region.Kernel);
  const std::string Why =
      Tasks.Region ? reasonToLaunch(*Tasks.Region, Asked) : std::string();
  if (Tasks.Region && Why.empty()) {
    runTasks(Where, Tasks, Region.Symbol, threadsOfTasks(Tasks, Region, Asked),
             Arguments->Values);
    return On.Data.unmapArguments(List, *Arguments);
  }
  if (Tasks.Region)
    noteReason(Region.Symbol, "its tasks run one after the other: " + Why);
  if (Status Ran = launchRegion(On, Region, Asked, Launch, *Arguments);
      !Ran.ok())
    return Ran;
  return On.Data.unmapArguments(List, *Arguments);
}

} // namespace blockmaestro::openmp
