// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace blockmaestro {
namespace {

cudaDeviceProp makeProperties() {
  cudaDeviceProp P{};
  std::snprintf(P.name, sizeof(P.name), "BlockMaestro emulated device");
  P.totalGlobalMem = EmulatedMemoryBytes;
  P.sharedMemPerBlock = 48 << 10;
  P.regsPerBlock = 65536;
  P.warpSize = 32;
  P.memPitch = 2147483647;
  P.maxThreadsPerBlock = 1024;
  P.maxThreadsDim[0] = 1024;
  P.maxThreadsDim[1] = 1024;
  P.maxThreadsDim[2] = 64;
  P.maxGridSize[0] = 2147483647;
  P.maxGridSize[1] = 65535;
  P.maxGridSize[2] = 65535;
  P.totalConstMem = 64 << 10;
  P.major = 9;
  P.minor = 0;
  P.textureAlignment = 512;
  P.texturePitchAlignment = 32;
  P.multiProcessorCount = 132;
  P.canMapHostMemory = 1;
  P.concurrentKernels = 1;
  P.asyncEngineCount = 1;
  P.unifiedAddressing = 1;
  P.memoryBusWidth = 5120;
  P.l2CacheSize = 50 << 20;
  P.maxThreadsPerMultiProcessor = 2048;
  P.sharedMemPerMultiprocessor = 228 << 10;
  P.regsPerMultiprocessor = 65536;
  P.managedMemory = 1;
  P.hostNativeAtomicSupported = 1;
  P.concurrentManagedAccess = 0;
  P.sharedMemPerBlockOptin = 227 << 10;
  P.maxBlocksPerMultiProcessor = 32;
  P.reservedSharedMemPerBlock = 1 << 10;
  return P;
}

struct AttributeRow {
  cudaDeviceAttr Which;
  size_t (*Get)(const cudaDeviceProp &P);
};

#define BM_FIELD(Attribute, Field)                                             \
  {cudaDevAttr##Attribute,                                                     \
   [](const cudaDeviceProp &P) { return static_cast<size_t>(P.Field); }}

constexpr AttributeRow Attributes[] = {
    BM_FIELD(MaxThreadsPerBlock, maxThreadsPerBlock),
    BM_FIELD(MaxBlockDimX, maxThreadsDim[0]),
    BM_FIELD(MaxBlockDimY, maxThreadsDim[1]),
    BM_FIELD(MaxBlockDimZ, maxThreadsDim[2]),
    BM_FIELD(MaxGridDimX, maxGridSize[0]),
    BM_FIELD(MaxGridDimY, maxGridSize[1]),
    BM_FIELD(MaxGridDimZ, maxGridSize[2]),
    BM_FIELD(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    BM_FIELD(TotalConstantMemory, totalConstMem),
    BM_FIELD(WarpSize, warpSize),
    BM_FIELD(MaxPitch, memPitch),
    BM_FIELD(MaxRegistersPerBlock, regsPerBlock),
    BM_FIELD(TextureAlignment, textureAlignment),
    BM_FIELD(MultiProcessorCount, multiProcessorCount),
    BM_FIELD(Integrated, integrated),
    BM_FIELD(CanMapHostMemory, canMapHostMemory),
    BM_FIELD(ConcurrentKernels, concurrentKernels),
    BM_FIELD(EccEnabled, ECCEnabled),
    BM_FIELD(PciBusId, pciBusID),
    BM_FIELD(PciDeviceId, pciDeviceID),
    BM_FIELD(PciDomainId, pciDomainID),
    BM_FIELD(TccDriver, tccDriver),
    BM_FIELD(GlobalMemoryBusWidth, memoryBusWidth),
    BM_FIELD(L2CacheSize, l2CacheSize),
    BM_FIELD(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    BM_FIELD(AsyncEngineCount, asyncEngineCount),
    BM_FIELD(UnifiedAddressing, unifiedAddressing),
    BM_FIELD(ComputeCapabilityMajor, major),
    BM_FIELD(ComputeCapabilityMinor, minor),
    BM_FIELD(StreamPrioritiesSupported, streamPrioritiesSupported),
    BM_FIELD(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    BM_FIELD(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    BM_FIELD(ManagedMemory, managedMemory),
    BM_FIELD(HostNativeAtomicSupported, hostNativeAtomicSupported),
    BM_FIELD(PageableMemoryAccess, pageableMemoryAccess),
    BM_FIELD(ConcurrentManagedAccess, concurrentManagedAccess),
    BM_FIELD(CooperativeLaunch, cooperativeLaunch),
    BM_FIELD(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    BM_FIELD(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    BM_FIELD(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    BM_FIELD(MemoryPoolsSupported, memoryPoolsSupported),
    BM_FIELD(ClusterLaunch, clusterLaunch),
};
#undef BM_FIELD

} // namespace

const cudaDeviceProp &emulatedProperties() {
  static const cudaDeviceProp Properties = makeProperties();
  return Properties;
}

bool emulatedAttribute(cudaDeviceAttr Which, int &Out) {
  for (const AttributeRow &Row : Attributes)
    if (Row.Which == Which) {
      Out = static_cast<int>(Row.Get(emulatedProperties()));
      return true;
    }
  return false;
}

int emulatedOccupancy(int BlockSize, size_t SharedBytes) {
  const cudaDeviceProp &P = emulatedProperties();
  int Threads = (BlockSize + P.warpSize - 1) / P.warpSize * P.warpSize;
  size_t Shared = SharedBytes + P.reservedSharedMemPerBlock;
  int ByThreads = P.maxThreadsPerMultiProcessor / Threads;
  int ByShared = static_cast<int>(P.sharedMemPerMultiprocessor / Shared);
  return std::min({P.maxBlocksPerMultiProcessor, ByThreads, ByShared});
}

bool emulatedShapeFits(dim3 Grid, dim3 Block) {
  const cudaDeviceProp &P = emulatedProperties();
  auto Within = [](unsigned Value, int Most) {
    return Value >= 1 && Value <= static_cast<unsigned>(Most);
  };
  return Within(Block.x, P.maxThreadsDim[0]) &&
         Within(Block.y, P.maxThreadsDim[1]) &&
         Within(Block.z, P.maxThreadsDim[2]) &&
         uint64_t(Block.x) * Block.y * Block.z <=
             static_cast<uint64_t>(P.maxThreadsPerBlock) &&
         Within(Grid.x, P.maxGridSize[0]) && Within(Grid.y, P.maxGridSize[1]) &&
         Within(Grid.z, P.maxGridSize[2]);
}

} // namespace blockmaestro
