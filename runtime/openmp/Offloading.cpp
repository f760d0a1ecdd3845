// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Offloading.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <strings.h>

/// libomp's: 0 disabled, 1 default, 2 mandatory.
extern "C" __attribute__((weak)) int __kmpc_get_target_offload();

namespace blockmaestro::openmp {
namespace {

Status statusOf(cudaError_t Error) {
  if (Error == cudaSuccess)
    return {};
  (void)cudaGetLastError();
  const StatusCode Code = Error == cudaErrorMemoryAllocation
                              ? StatusCode::OutOfMemory
                              : StatusCode::Device;
  return {Code, cudaGetErrorString(Error)};
}

void *pointerOf(DeviceAddress Where) { return reinterpret_cast<void *>(Where); }

OffloadPolicy policyOfEnvironment() {
  const char *Text = std::getenv("OMP_TARGET_OFFLOAD");
  if (Text && strcasecmp(Text, "disabled") == 0)
    return OffloadPolicy::Disabled;
  if (Text && strcasecmp(Text, "mandatory") == 0)
    return OffloadPolicy::Mandatory;
  return OffloadPolicy::Default;
}

} // namespace

Result<DeviceAddress> CudaMemory::allocate(size_t Bytes) {
  void *Out = nullptr;
  if (Status Done = statusOf(cudaMalloc(&Out, Bytes)); !Done.ok())
    return Done;
  return reinterpret_cast<DeviceAddress>(Out);
}

Status CudaMemory::release(DeviceAddress Where) {
  return statusOf(cudaFree(pointerOf(Where)));
}

Status CudaMemory::toDevice(DeviceAddress To, const void *From, size_t Bytes) {
  return statusOf(
      cudaMemcpy(pointerOf(To), From, Bytes, cudaMemcpyHostToDevice));
}

Status CudaMemory::fromDevice(void *To, DeviceAddress From, size_t Bytes) {
  return statusOf(
      cudaMemcpy(To, pointerOf(From), Bytes, cudaMemcpyDeviceToHost));
}

/// A device that is there stays there.
bool Offloading::hasDevice() {
  if (FoundDevice)
    return true;
  int Count = 0;
  FoundDevice = cudaGetDeviceCount(&Count) == cudaSuccess && Count > 0;
  return FoundDevice;
}

int Offloading::deviceCount() { return Code.mayRun() && hasDevice() ? 1 : 0; }

OffloadPolicy Offloading::policy() {
  if (!__kmpc_get_target_offload)
    return policyOfEnvironment();
  switch (__kmpc_get_target_offload()) {
  case 0:
    return OffloadPolicy::Disabled;
  case 2:
    return OffloadPolicy::Mandatory;
  default:
    return OffloadPolicy::Default;
  }
}

/// A variable that the device's code does not use has no counterpart, and needs
/// none.
Status Offloading::shareVariables() {
  std::lock_guard<std::mutex> Held(Lock);
  for (const SharedVariable &Each : Code.takeVariables()) {
    void *Device = nullptr;
    const cudaError_t Error = cudaGetSymbolAddress(&Device, Each.Host);
    if (Error == cudaErrorInvalidSymbol) {
      (void)cudaGetLastError();
      continue;
    }
    Status Shared = statusOf(Error);
    if (Shared.ok())
      Shared =
          Data.associate(reinterpret_cast<HostAddress>(Each.Host), Each.Bytes,
                         reinterpret_cast<DeviceAddress>(Device), Each.Symbol);
    if (!Shared.ok())
      return {Shared.code(), Each.Symbol + ": " + Shared.message()};
  }
  return {};
}

Offloading &offloading() {
  static auto *Only = new Offloading;
  return *Only;
}

void endProgram(const CallLocation *Where, const std::string &Why) {
  const SourceText Source = parseSource(Where ? Where->Text : nullptr);
  const bool Known = !Source.First.empty() && Source.First != "unknown";
  const std::string At =
      Known ? Source.First + ":" + Source.Line + ": " : std::string();
  std::fprintf(stderr, "BlockMaestro: %s%s%s\n", At.c_str(), Why.c_str(),
               Known ? "" : " (compile with -g to see where)");
  std::abort();
}

} // namespace blockmaestro::openmp
