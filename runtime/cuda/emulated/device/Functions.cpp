// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "EngineState.h"
#include "Launches.h"
#include "Machine.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

/// What the program sets of a kernel's clusters. The extents that it requires
/// can be declared only.
static cudaError_t setClusterAttribute(EmulatedKernel &Kernel,
                                       cudaFuncAttribute Which, int Value) {
  switch (Which) {
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    if (Value != 0 && Value != 1)
      return cudaErrorInvalidValue;
    Kernel.LargeClusters = Value != 0;
    return cudaSuccess;
  case cudaFuncAttributeClusterSchedulingPolicyPreference:
    return Value >= cudaClusterSchedulingPolicyDefault &&
                   Value <= cudaClusterSchedulingPolicyLoadBalancing
               ? cudaSuccess
               : cudaErrorInvalidValue;
  default:
    return cudaErrorNotSupported;
  }
}

static bool isClusterAttribute(cudaFuncAttribute Which) {
  return Which >= cudaFuncAttributeClusterDimMustBeSet &&
         Which < cudaFuncAttributeMax;
}

static cudaError_t checkFunction(const void *Function) {
  return recordOf(engineState(), Function) ? cudaSuccess
                                           : cudaErrorInvalidDeviceFunction;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Attributes,
                                  const void *Function) {
  if (!Attributes)
    return cudaErrorInvalidValue;
  EngineState &State = engineState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  const cudaDeviceProp &P = emulatedProperties();
  *Attributes = {};
  Attributes->sharedSizeBytes = Kernel->Record->StaticSharedBytes;
  Attributes->maxThreadsPerBlock = P.maxThreadsPerBlock;
  Attributes->numRegs = RegistersPerThread;
  Attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(Kernel->MaxDynamicSharedBytes);
  Attributes->preferredShmemCarveout = Kernel->Carveout;
  const std::array<uint32_t, 3> &Cluster = Kernel->Record->Cluster;
  Attributes->clusterDimMustBeSet = Cluster[0] != 0;
  Attributes->requiredClusterWidth = static_cast<int>(Cluster[0]);
  Attributes->requiredClusterHeight = static_cast<int>(Cluster[1]);
  Attributes->requiredClusterDepth = static_cast<int>(Cluster[2]);
  Attributes->nonPortableClusterSizeAllowed = Kernel->LargeClusters;
  Attributes->ptxVersion = Attributes->binaryVersion = 10 * P.major + P.minor;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *Function,
                                 cudaFuncAttribute Attribute, int Value) {
  EngineState &State = engineState();
  Guard Held(State.Lock);
  const EmulatedKernel *Found = kernelOf(State, Function);
  if (!Found)
    return cudaErrorInvalidDeviceFunction;
  EmulatedKernel &Kernel = State.Kernels[Found->Record];
  if (isClusterAttribute(Attribute))
    return setClusterAttribute(Kernel, Attribute, Value);
  if (Attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (Value < -1 || Value > 100)
      return cudaErrorInvalidValue;
    Kernel.Carveout = Value;
    return cudaSuccess;
  }
  size_t Static = Kernel.Record->StaticSharedBytes;
  size_t Whole = emulatedProperties().sharedMemPerBlockOptin;
  if (Attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || Value < 0 ||
      static_cast<size_t>(Value) + Static > Whole)
    return cudaErrorInvalidValue;
  Kernel.MaxDynamicSharedBytes = static_cast<size_t>(Value);
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *Function, cudaFuncCache Config) {
  if (Config < cudaFuncCachePreferNone || Config > cudaFuncCachePreferEqual)
    return cudaErrorInvalidValue;
  return checkFunction(Function);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *Function,
                                       cudaSharedMemConfig Config) {
  if (Config < cudaSharedMemBankSizeDefault ||
      Config > cudaSharedMemBankSizeEightByte)
    return cudaErrorInvalidValue;
  return checkFunction(Function);
}

cudaError_t cudaFuncGetName(const char **Name, const void *Function) {
  if (!Name || !Function)
    return cudaErrorInvalidValue;
  const KernelRecord *Record = recordOf(engineState(), Function);
  if (!Record)
    return cudaErrorInvalidDeviceFunction;
  *Name = Record->Symbol.c_str();
  return cudaSuccess;
}

cudaError_t cudaFuncGetParamInfo(const void *Function, size_t Index,
                                 size_t *Offset, size_t *Bytes) {
  if (!Offset)
    return cudaErrorInvalidValue;
  const KernelRecord *Record = recordOf(engineState(), Function);
  if (!Record)
    return cudaErrorInvalidDeviceFunction;
  if (Index >= Record->Parameters.size())
    return cudaErrorInvalidValue;
  *Offset = Record->Parameters[Index].Offset;
  if (Bytes)
    *Bytes = Record->Parameters[Index].Bytes;
  return cudaSuccess;
}

// A handle of a kernel is the address of its stub.

cudaError_t cudaGetKernel(cudaKernel_t *Kernel, const void *Function) {
  if (!Kernel)
    return cudaErrorInvalidValue;
  cudaError_t Error = checkFunction(Function);
  if (Error == cudaSuccess)
    *Kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(Function));
  return Error;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *Handle, const void *Function) {
  if (!Handle)
    return cudaErrorInvalidValue;
  cudaError_t Error = checkFunction(Function);
  if (Error == cudaSuccess)
    *Handle = reinterpret_cast<cudaFunction_t>(const_cast<void *>(Function));
  return Error;
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t Kernel,
                                            cudaFuncAttribute Attribute,
                                            int Value, int Device) {
  return Device != 0 ? cudaErrorInvalidDevice
                     : emulated::cudaFuncSetAttribute(Kernel, Attribute, Value);
}

// Occupancy.

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Blocks, const void *Function, int BlockSize, size_t SharedBytes,
    unsigned Flags) {
  const KernelRecord *Record = recordOf(engineState(), Function);
  if (!Record)
    return cudaErrorInvalidDeviceFunction;
  if (!Blocks || BlockSize <= 0 || Flags > cudaOccupancyDisableCachingOverride)
    return cudaErrorInvalidValue;
  *Blocks =
      emulatedOccupancy(BlockSize, Record->StaticSharedBytes + SharedBytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          const void *Function,
                                                          int BlockSize,
                                                          size_t SharedBytes) {
  return emulated::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      Blocks, Function, BlockSize, SharedBytes, cudaOccupancyDefault);
}

/// The launch that \p Config describes, as far as clusters go.
static KernelLaunch launchOf(const void *Function,
                             const cudaLaunchConfig_t &Config) {
  KernelLaunch Asked;
  Asked.Function = Function;
  Asked.Grid = Config.gridDim;
  Asked.Block = Config.blockDim;
  Asked.SharedBytes = Config.dynamicSmemBytes;
  for (unsigned I = 0; I < Config.numAttrs; ++I)
    if (Config.attrs[I].id == cudaLaunchAttributeClusterDimension) {
      const auto &Extents = Config.attrs[I].val.clusterDim;
      Asked.Cluster = dim3(Extents.x, Extents.y, Extents.z);
    }
  return Asked;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *Clusters, const void *Function,
                                           const cudaLaunchConfig_t *Config) {
  const KernelRecord *Record = recordOf(engineState(), Function);
  if (!Record)
    return cudaErrorInvalidDeviceFunction;
  if (!Clusters || !Config || (Config->numAttrs > 0 && !Config->attrs))
    return cudaErrorInvalidValue;
  const KernelLaunch Asked = launchOf(Function, *Config);
  if (Asked.Cluster.x == 0 && Record->Cluster[0] == 0)
    return cudaErrorInvalidClusterSize;
  *Clusters = static_cast<int>(clustersAtATime(Asked));
  return *Clusters > 0 ? cudaSuccess : cudaErrorInvalidClusterSize;
}

cudaError_t
cudaOccupancyMaxPotentialClusterSize(int *Blocks, const void *Function,
                                     const cudaLaunchConfig_t *Config) {
  EngineState &State = engineState();
  const KernelRecord *Record = recordOf(State, Function);
  if (!Record)
    return cudaErrorInvalidDeviceFunction;
  if (!Blocks || !Config || (Config->numAttrs > 0 && !Config->attrs))
    return cudaErrorInvalidValue;
  const KernelLaunch Asked = launchOf(Function, *Config);
  const int Threads =
      static_cast<int>(Asked.Block.x * Asked.Block.y * Asked.Block.z);
  Guard Held(State.Lock);
  const bool Large = State.Kernels[Record].LargeClusters;
  *Blocks = emulatedOccupancy(Threads, Record->StaticSharedBytes +
                                           Asked.SharedBytes) == 0
                ? 0
            : Large ? int(LargestCluster)
                    : int(LargestPortableCluster);
  return cudaSuccess;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *Bytes,
                                                      const void *Function,
                                                      int Blocks,
                                                      int BlockSize) {
  const KernelRecord *Record = recordOf(engineState(), Function);
  if (!Record)
    return cudaErrorInvalidDeviceFunction;
  size_t Static = Record->StaticSharedBytes;
  if (!Bytes || Blocks <= 0 || BlockSize <= 0 ||
      Blocks > emulatedOccupancy(BlockSize, Static))
    return cudaErrorInvalidValue;
  *Bytes = emulatedSharedPerBlock(Blocks) - Static;
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
