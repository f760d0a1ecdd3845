// Feature: device: properties, attributes, limits and names of the device, which agree with each other.

#include "Inputs/suite.h"

#include <cstring>
#include <cuda_profiler_api.h>
#include <string>

static int attribute(cudaDeviceAttr Which) {
  int Value = -1;
  check(cudaDeviceGetAttribute(&Value, Which, 0));
  return Value;
}

static void agreement(const cudaDeviceProp &P) {
  expect(std::strlen(P.name) > 0);
  expect(P.warpSize == 32);
  expect(P.multiProcessorCount > 0 && P.totalGlobalMem > 0);
  expect(attribute(cudaDevAttrWarpSize) == P.warpSize);
  expect(attribute(cudaDevAttrMultiProcessorCount) == P.multiProcessorCount);
  expect(attribute(cudaDevAttrMaxThreadsPerBlock) == P.maxThreadsPerBlock);
  expect(attribute(cudaDevAttrMaxBlockDimZ) == P.maxThreadsDim[2]);
  expect(attribute(cudaDevAttrMaxGridDimX) == P.maxGridSize[0]);
  expect(attribute(cudaDevAttrMaxSharedMemoryPerBlock) ==
         int(P.sharedMemPerBlock));
  expect(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) ==
         int(P.sharedMemPerBlockOptin));
  expect(attribute(cudaDevAttrMaxRegistersPerBlock) == P.regsPerBlock);
  expect(attribute(cudaDevAttrComputeCapabilityMajor) == P.major);
  expect(attribute(cudaDevAttrComputeCapabilityMinor) == P.minor);
  expect(attribute(cudaDevAttrL2CacheSize) == P.l2CacheSize);
  expect(attribute(cudaDevAttrUnifiedAddressing) == 1);
  expect(attribute(cudaDevAttrManagedMemory) == P.managedMemory);
  expect(attribute(cudaDevAttrCooperativeLaunch) == P.cooperativeLaunch);
  expect(attribute(cudaDevAttrClockRate) > 0);
}

static void devices() {
  int Count = 0, Device = -1, Driver = 0, Runtime = 0;
  check(cudaGetDeviceCount(&Count));
  expect(Count >= 1);
  check(cudaSetDevice(0));
  check(cudaGetDevice(&Device));
  expect(Device == 0);
  check(cudaDriverGetVersion(&Driver));
  check(cudaRuntimeGetVersion(&Runtime));
  expect(Runtime >= 13000 && Driver >= Runtime);
  cudaDeviceProp Wanted = {};
  check(cudaChooseDevice(&Device, &Wanted));
  expect(Device >= 0 && Device < Count);
  int Value = 0;
  cudaDeviceProp P;
  expect(cudaSetDevice(Count) == cudaErrorInvalidDevice);
  expect(cudaGetDeviceProperties(&P, Count) == cudaErrorInvalidDevice);
  expect(cudaDeviceGetAttribute(&Value, cudaDevAttrWarpSize, Count) ==
         cudaErrorInvalidDevice);
  expect(cudaGetDeviceCount(nullptr) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

static void busPlace() {
  char Text[32] = "";
  int Device = -1;
  check(cudaDeviceGetPCIBusId(Text, sizeof(Text), 0));
  expect(std::strlen(Text) == 12);
  check(cudaDeviceGetByPCIBusId(&Device, Text));
  expect(Device == 0);
  expect(attribute(cudaDevAttrPciBusId) ==
         int(std::stoul(std::string(Text + 5, 2), nullptr, 16)));
}

static void limits() {
  size_t Value = 0;
  check(cudaDeviceGetLimit(&Value, cudaLimitStackSize));
  expect(Value >= 1024);
  check(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  check(cudaDeviceGetLimit(&Value, cudaLimitStackSize));
  expect(Value == 4096);
  check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
  check(cudaDeviceGetLimit(&Value, cudaLimitMallocHeapSize));
  expect(Value >= 32 << 20);
  expect(cudaDeviceGetLimit(nullptr, cudaLimitStackSize) ==
         cudaErrorInvalidValue);
  expect(cudaDeviceGetLimit(&Value, static_cast<cudaLimit>(99)) !=
         cudaSuccess);
  (void)cudaGetLastError();
  cudaFuncCache Config;
  check(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  check(cudaDeviceGetCacheConfig(&Config));
}

int main() {
  cudaDeviceProp P;
  check(cudaGetDeviceProperties(&P, 0));
  agreement(P);
  devices();
  busPlace();
  limits();
  check(cudaProfilerStart());
  check(cudaProfilerStop());
  return suite::finish();
}
