// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The attributes, most of which are a field of the properties. Textures are
// not emulated, so that all their sizes are 0.

#include "Machine.h"

namespace blockmaestro {
namespace {

struct AttributeRow {
  cudaDeviceAttr Which;
  uint64_t (*Get)(const cudaDeviceProp &P);
};

#define BM_FIELD(Attribute, Field)                                             \
  {cudaDevAttr##Attribute,                                                     \
   [](const cudaDeviceProp &P) { return static_cast<uint64_t>(P.Field); }}
#define BM_CONSTANT(Attribute, Value)                                          \
  {cudaDevAttr##Attribute,                                                     \
   [](const cudaDeviceProp &) { return static_cast<uint64_t>(Value); }}

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
    {cudaDevAttrClockRate,
     [](const cudaDeviceProp &) { return emulatedMachine().ClockMHz * 1000; }},
    BM_FIELD(TextureAlignment, textureAlignment),
    BM_CONSTANT(GpuOverlap, 1),
    BM_FIELD(MultiProcessorCount, multiProcessorCount),
    BM_CONSTANT(KernelExecTimeout, 0),
    BM_FIELD(Integrated, integrated),
    BM_FIELD(CanMapHostMemory, canMapHostMemory),
    BM_CONSTANT(ComputeMode, cudaComputeModeDefault),
    BM_FIELD(MaxTexture1DWidth, maxTexture1D),
    BM_FIELD(MaxTexture2DWidth, maxTexture2D[0]),
    BM_FIELD(MaxTexture2DHeight, maxTexture2D[1]),
    BM_FIELD(MaxTexture3DWidth, maxTexture3D[0]),
    BM_FIELD(MaxTexture3DHeight, maxTexture3D[1]),
    BM_FIELD(MaxTexture3DDepth, maxTexture3D[2]),
    BM_FIELD(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
    BM_FIELD(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]),
    BM_FIELD(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    BM_FIELD(SurfaceAlignment, surfaceAlignment),
    BM_FIELD(ConcurrentKernels, concurrentKernels),
    BM_FIELD(EccEnabled, ECCEnabled),
    BM_FIELD(PciBusId, pciBusID),
    BM_FIELD(PciDeviceId, pciDeviceID),
    BM_FIELD(TccDriver, tccDriver),
    {cudaDevAttrMemoryClockRate,
     [](const cudaDeviceProp &) {
       return emulatedMachine().MemoryClockMHz * 1000;
     }},
    BM_FIELD(GlobalMemoryBusWidth, memoryBusWidth),
    BM_FIELD(L2CacheSize, l2CacheSize),
    BM_FIELD(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    BM_FIELD(AsyncEngineCount, asyncEngineCount),
    BM_FIELD(UnifiedAddressing, unifiedAddressing),
    BM_FIELD(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]),
    BM_FIELD(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
    BM_FIELD(MaxTexture2DGatherWidth, maxTexture2DGather[0]),
    BM_FIELD(MaxTexture2DGatherHeight, maxTexture2DGather[1]),
    BM_FIELD(MaxTexture3DWidthAlt, maxTexture3DAlt[0]),
    BM_FIELD(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
    BM_FIELD(MaxTexture3DDepthAlt, maxTexture3DAlt[2]),
    BM_FIELD(PciDomainId, pciDomainID),
    BM_FIELD(TexturePitchAlignment, texturePitchAlignment),
    BM_FIELD(MaxTextureCubemapWidth, maxTextureCubemap),
    BM_FIELD(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]),
    BM_FIELD(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]),
    BM_FIELD(MaxSurface1DWidth, maxSurface1D),
    BM_FIELD(MaxSurface2DWidth, maxSurface2D[0]),
    BM_FIELD(MaxSurface2DHeight, maxSurface2D[1]),
    BM_FIELD(MaxSurface3DWidth, maxSurface3D[0]),
    BM_FIELD(MaxSurface3DHeight, maxSurface3D[1]),
    BM_FIELD(MaxSurface3DDepth, maxSurface3D[2]),
    BM_FIELD(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]),
    BM_FIELD(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]),
    BM_FIELD(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]),
    BM_FIELD(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]),
    BM_FIELD(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]),
    BM_FIELD(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
    BM_FIELD(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]),
    BM_FIELD(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]),
    BM_CONSTANT(MaxTexture1DLinearWidth, 1 << 28),
    BM_FIELD(MaxTexture2DLinearWidth, maxTexture2DLinear[0]),
    BM_FIELD(MaxTexture2DLinearHeight, maxTexture2DLinear[1]),
    BM_FIELD(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    BM_FIELD(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0]),
    BM_FIELD(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1]),
    BM_FIELD(ComputeCapabilityMajor, major),
    BM_FIELD(ComputeCapabilityMinor, minor),
    BM_FIELD(MaxTexture1DMipmappedWidth, maxTexture1DMipmap),
    BM_FIELD(StreamPrioritiesSupported, streamPrioritiesSupported),
    BM_FIELD(GlobalL1CacheSupported, globalL1CacheSupported),
    BM_FIELD(LocalL1CacheSupported, localL1CacheSupported),
    BM_FIELD(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    BM_FIELD(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    BM_FIELD(ManagedMemory, managedMemory),
    BM_FIELD(IsMultiGpuBoard, isMultiGpuBoard),
    BM_FIELD(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    BM_FIELD(HostNativeAtomicSupported, hostNativeAtomicSupported),
    BM_CONSTANT(SingleToDoublePrecisionPerfRatio, 2),
    BM_FIELD(PageableMemoryAccess, pageableMemoryAccess),
    BM_FIELD(ConcurrentManagedAccess, concurrentManagedAccess),
    BM_FIELD(ComputePreemptionSupported, computePreemptionSupported),
    BM_FIELD(CanUseHostPointerForRegisteredMem,
             canUseHostPointerForRegisteredMem),
    BM_FIELD(CooperativeLaunch, cooperativeLaunch),
    BM_FIELD(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    BM_CONSTANT(CanFlushRemoteWrites, 0),
    BM_FIELD(HostRegisterSupported, hostRegisterSupported),
    BM_FIELD(PageableMemoryAccessUsesHostPageTables,
             pageableMemoryAccessUsesHostPageTables),
    BM_FIELD(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    BM_FIELD(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    BM_FIELD(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    BM_FIELD(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    BM_FIELD(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    BM_FIELD(SparseCudaArraySupported, sparseCudaArraySupported),
    BM_FIELD(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    BM_FIELD(TimelineSemaphoreInteropSupported,
             timelineSemaphoreInteropSupported),
    BM_FIELD(MemoryPoolsSupported, memoryPoolsSupported),
    BM_FIELD(GPUDirectRDMASupported, gpuDirectRDMASupported),
    BM_FIELD(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions),
    BM_FIELD(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering),
    BM_FIELD(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    BM_FIELD(ClusterLaunch, clusterLaunch),
    BM_FIELD(DeferredMappingCudaArraySupported,
             deferredMappingCudaArraySupported),
    BM_FIELD(IpcEventSupport, ipcEventSupported),
    BM_CONSTANT(MemSyncDomainCount, 1),
    BM_FIELD(NumaConfig, deviceNumaConfig),
    BM_FIELD(NumaId, deviceNumaId),
    BM_FIELD(MpsEnabled, mpsEnabled),
    BM_FIELD(HostNumaId, hostNumaId),
    BM_CONSTANT(D3D12CigSupported, 0),
    BM_CONSTANT(VulkanCigSupported, 0),
    BM_FIELD(GpuPciDeviceId, gpuPciDeviceID),
    BM_FIELD(GpuPciSubsystemId, gpuPciSubsystemID),
    BM_CONSTANT(HostNumaMemoryPoolsSupported, 0),
    BM_FIELD(HostNumaMultinodeIpcSupported, hostNumaMultinodeIpcSupported),
    BM_CONSTANT(HostMemoryPoolsSupported, 0),
    BM_CONSTANT(OnlyPartialHostNativeAtomicSupported, 0),
};
#undef BM_FIELD
#undef BM_CONSTANT

} // namespace

bool emulatedAttribute(cudaDeviceAttr Which, int &Out) {
  for (const AttributeRow &Row : Attributes)
    if (Row.Which == Which) {
      Out = static_cast<int>(Row.Get(emulatedProperties()));
      return true;
    }
  return false;
}

} // namespace blockmaestro
