// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exported functions that clang's code for target constructs calls. Where a
// construct's device is the host (OMP_TARGET_OFFLOAD=disabled, no device, or
// the program says so) data calls do nothing, and a region returns what makes
// clang's code run the host's version. What goes wrong on a device ends the
// program: the standard has no other way to report it.

#include "RegionLaunch.h"
#include "TaskRuns.h"

using namespace blockmaestro;
using namespace blockmaestro::openmp;

extern "C" {
__attribute__((weak)) int omp_get_default_device();
__attribute__((weak)) int __kmpc_global_thread_num(CallLocation *);
__attribute__((weak)) int32_t __kmpc_omp_taskwait(CallLocation *, int32_t);
}

namespace {

constexpr int64_t DefaultDevice = -1;
constexpr int RunHostVersion = -1;

[[noreturn]] void refuseToRun(const CallLocation *Where) {
  const std::string Why = offloading().Code.refusal();
  endProgram(Where, "OMP_TARGET_OFFLOAD=mandatory, and there is no device" +
                        (Why.empty() ? "" : ": " + Why));
}

/// Whether the construct runs on the device; else on the host.
bool runsOnDevice(const CallLocation *Where, int64_t Device) {
  Offloading &On = offloading();
  const OffloadPolicy Policy = On.policy();
  if (Policy == OffloadPolicy::Disabled)
    return false;
  if (Device == DefaultDevice)
    Device = omp_get_default_device ? omp_get_default_device() : 0;
  const int Count = On.deviceCount();
  if (Count == 0 && Policy == OffloadPolicy::Mandatory)
    refuseToRun(Where);
  if (Count == 0 || Device == On.initialDevice())
    return false;
  if (Device < 0 || Device > Count)
    endProgram(Where, "there is no device " + std::to_string(Device));
  if (Status Shared = On.shareVariables(); !Shared.ok())
    endProgram(Where, Shared.message());
  prepareTasks();
  return true;
}

std::string regionText(const void *Region) {
  const std::string Name = offloading().Code.nameOf(Region);
  return Name.empty() ? "this region" : "the region " + Name;
}

using DataCall = Status (DeviceData::*)(const MapList &);

void onDevice(const CallLocation *Where, int64_t Device, DataCall Call,
              const MapList &List) {
  if (!runsOnDevice(Where, Device))
    return;
  if (Status Done = (offloading().Data.*Call)(List); !Done.ok())
    endProgram(Where, Done.message());
}

/// What a construct with dependences has to come behind.
void waitForTasks(CallLocation *Where, int32_t Dependences) {
  if (Dependences > 0 && __kmpc_omp_taskwait && __kmpc_global_thread_num)
    __kmpc_omp_taskwait(Where, __kmpc_global_thread_num(Where));
}

} // namespace

/// A data call in its two forms: at once, and in a task of the host that has
/// its dependences behind it.
#define BM_DATA_CALL(Name, Method)                                             \
  extern "C" void __tgt_target_data_##Name##_mapper(                           \
      CallLocation *Where, int64_t Device, int32_t Count, void **Bases,        \
      void **Begins, int64_t *Sizes, int64_t *Types, void **Names,             \
      void **Mappers) {                                                        \
    onDevice(Where, Device, &DeviceData::Method,                               \
             {uint32_t(Count), Bases, Begins, Sizes, Types, Names, Mappers});  \
  }                                                                            \
  extern "C" void __tgt_target_data_##Name##_nowait_mapper(                    \
      CallLocation *Where, int64_t Device, int32_t Count, void **Bases,        \
      void **Begins, int64_t *Sizes, int64_t *Types, void **Names,             \
      void **Mappers, int32_t Dependences, void *, int32_t MoreDependences,    \
      void *) {                                                                \
    waitForTasks(Where, Dependences + MoreDependences);                        \
    __tgt_target_data_##Name##_mapper(Where, Device, Count, Bases, Begins,     \
                                      Sizes, Types, Names, Mappers);           \
  }
BM_DATA_CALL(begin, enter)
BM_DATA_CALL(end, leave)
BM_DATA_CALL(update, update)
#undef BM_DATA_CALL

extern "C" {

void __tgt_register_lib(const LinkedBinary *Binary) {
  offloading().Code.addBinary(*Binary);
}

void __tgt_unregister_lib(const LinkedBinary *Binary) {
  Offloading &On = offloading();
  for (const SharedVariable &Each : On.Code.removeBinary(*Binary))
    // What the device does not use was never associated.
    (void)On.Data.disassociate(reinterpret_cast<HostAddress>(Each.Host));
}

void __tgt_push_mapper_component(void *Components, void *Base, void *Begin,
                                 int64_t Bytes, int64_t Type, void *Name) {
  auto &To = *static_cast<MapperComponents *>(Components);
  To.Bases.push_back(Base);
  To.Begins.push_back(Begin);
  To.Sizes.push_back(Bytes);
  To.Types.push_back(Type);
  To.Names.push_back(Name);
}

int64_t __tgt_mapper_num_components(void *Components) {
  return int64_t(static_cast<MapperComponents *>(Components)->Bases.size());
}

int __tgt_target_kernel(CallLocation *Where, int64_t Device, int32_t Teams,
                        int32_t Threads, void *Region, KernelLaunch *Launch) {
  if (!runsOnDevice(Where, Device))
    return RunHostVersion;
  Offloading &On = offloading();
  const std::optional<RegionKernel> Kernel = On.Code.kernelOf(Region);
  if (!Kernel)
    endProgram(Where, "the device has no code for " + regionText(Region));
  const RegionRequest Asked = {Teams, Threads, Launch->TripCount};
  if (Status Ran = runRegion(On, Where, *Kernel, Asked, *Launch); !Ran.ok())
    endProgram(Where, Ran.message());
  return 0;
}

} // extern "C"
