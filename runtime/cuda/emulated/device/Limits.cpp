// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Limits.h"

#include "Calls.h"
#include "Emulator.h"
#include "EngineState.h"

#include <atomic>

namespace blockmaestro {
namespace {

struct LimitRow {
  cudaLimit Which;
  size_t Initial;
  size_t Most;
  std::atomic<size_t> Now;
};

constexpr size_t Any = size_t(-1);

/// Those of compute capability 9.0; the depth of nested launches is none of
/// them.
LimitRow Limits[] = {
    {cudaLimitStackSize, 1024, 512 << 10, 1024},
    {cudaLimitPrintfFifoSize, 1 << 20, Any, 1 << 20},
    {cudaLimitMallocHeapSize, 8 << 20, Any, 8 << 20},
    {cudaLimitDevRuntimePendingLaunchCount, 2048, Any, 2048},
    {cudaLimitMaxL2FetchGranularity, 64, 128, 64},
    {cudaLimitPersistingL2CacheSize, 0, 0, 0},
};

/// Since unified addressing the runtime reports this one always.
constexpr unsigned AlwaysOn = cudaDeviceMapHost;
std::atomic<unsigned> Flags{AlwaysOn};
std::atomic<cudaFuncCache> CacheConfig{cudaFuncCachePreferNone};

LimitRow *find(cudaLimit Which) {
  for (LimitRow &Each : Limits)
    if (Each.Which == Which)
      return &Each;
  return nullptr;
}

/// Lets the processor know a limit that is its own; false when it cannot be
/// changed any more.
bool tellProcessor(cudaLimit Which, size_t Value) {
  Emulator *Processor = engineState().Processor;
  if (!Processor)
    return true;
  if (Which == cudaLimitStackSize)
    return Processor->setLimit(DeviceLimit::StackBytes, Value);
  if (Which == cudaLimitMallocHeapSize)
    return Processor->setLimit(DeviceLimit::HeapBytes, Value);
  return true;
}

/// Whether flags of cudaSetDeviceFlags or cudaInitDevice are ones CUDA knows,
/// and at most one way of waiting.
bool areDeviceFlags(unsigned Given) {
  unsigned Waiting = Given & cudaDeviceScheduleMask;
  constexpr unsigned Known = cudaDeviceScheduleMask | cudaDeviceMapHost |
                             cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
  return !(Given & ~Known) && (Waiting & (Waiting - 1)) == 0;
}

} // namespace

size_t emulatedLimit(cudaLimit Which) {
  const LimitRow *Found = find(Which);
  return Found ? Found->Now.load() : 0;
}

void resetDeviceSettings() {
  for (LimitRow &Each : Limits) {
    Each.Now = Each.Initial;
    (void)tellProcessor(Each.Which, Each.Initial);
  }
  Flags = AlwaysOn;
  CacheConfig = cudaFuncCachePreferNone;
}

namespace emulated {

cudaError_t cudaDeviceSetLimit(cudaLimit Limit, size_t Value) {
  LimitRow *Found = find(Limit);
  if (!Found)
    return cudaErrorUnsupportedLimit;
  if (Value > Found->Most || !tellProcessor(Limit, Value))
    return cudaErrorInvalidValue;
  Found->Now = Value;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *Value, cudaLimit Limit) {
  if (!Value)
    return cudaErrorInvalidValue;
  const LimitRow *Found = find(Limit);
  if (!Found)
    return cudaErrorUnsupportedLimit;
  *Value = Found->Now;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *Config) {
  if (!Config)
    return cudaErrorInvalidValue;
  *Config = CacheConfig;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache Config) {
  if (Config < cudaFuncCachePreferNone || Config > cudaFuncCachePreferEqual)
    return cudaErrorInvalidValue;
  CacheConfig = Config;
  return cudaSuccess;
}

/// Banks are four bytes wide, whatever is asked for.
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *Config) {
  if (!Config)
    return cudaErrorInvalidValue;
  *Config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig Config) {
  return Config < cudaSharedMemBankSizeDefault ||
                 Config > cudaSharedMemBankSizeEightByte
             ? cudaErrorInvalidValue
             : cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned Given) {
  if (!areDeviceFlags(Given))
    return cudaErrorInvalidValue;
  Flags = Given | AlwaysOn;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *Out) {
  if (!Out)
    return cudaErrorInvalidValue;
  *Out = Flags;
  return cudaSuccess;
}

cudaError_t cudaInitDevice(int Device, unsigned DeviceFlags, unsigned How) {
  if (Device != 0)
    return cudaErrorInvalidDevice;
  if (How & ~unsigned(cudaInitDeviceFlagsAreValid))
    return cudaErrorInvalidValue;
  return How ? emulated::cudaSetDeviceFlags(DeviceFlags) : cudaSuccess;
}

/// Nothing is kept in a cache.
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

} // namespace emulated
} // namespace blockmaestro
