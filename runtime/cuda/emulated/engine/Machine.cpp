// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace blockmaestro {
namespace {

/// What a block's shared memory is rounded up to.
constexpr size_t SharedUnit = 128;
constexpr size_t WarpSize = 32;
constexpr size_t RegisterUnit = 256; ///< Of a warp.

void setIdentity(const EmulatedMachine &M, cudaDeviceProp &P) {
  std::snprintf(P.name, sizeof(P.name), "%s", M.Name.c_str());
  std::memcpy(P.uuid.bytes, "BlockMaestro\0\0\0\1", sizeof(P.uuid.bytes));
  P.pciBusID = 1;
  P.hostNumaId = -1;
  P.deviceNumaId = -1;
}

void setCompute(const EmulatedMachine &M, cudaDeviceProp &P) {
  P.major = static_cast<int>(M.Major);
  P.minor = static_cast<int>(M.Minor);
  P.multiProcessorCount = static_cast<int>(M.Sms);
  P.warpSize = WarpSize;
  P.maxThreadsPerBlock = 1024;
  P.maxThreadsDim[0] = P.maxThreadsDim[1] = 1024;
  P.maxThreadsDim[2] = 64;
  P.maxGridSize[0] = 2147483647;
  P.maxGridSize[1] = P.maxGridSize[2] = 65535;
  P.maxThreadsPerMultiProcessor = static_cast<int>(M.ThreadsPerSm);
  P.maxBlocksPerMultiProcessor = static_cast<int>(M.BlocksPerSm);
  P.regsPerMultiprocessor = static_cast<int>(M.RegistersPerSm);
  P.regsPerBlock =
      static_cast<int>(std::min<uint64_t>(M.RegistersPerSm, 65536));
  P.computePreemptionSupported = 1;
  P.cooperativeLaunch = 1;
  P.concurrentKernels = 1;
  P.streamPrioritiesSupported = 1;
  P.asyncEngineCount = 2;
}

void setMemory(const EmulatedMachine &M, cudaDeviceProp &P) {
  P.totalGlobalMem = M.MemoryBytes;
  P.totalConstMem = 64 << 10;
  P.sharedMemPerBlock = M.SharedBytesPerBlock;
  P.sharedMemPerBlockOptin = M.SharedBytesPerBlockOptin;
  P.sharedMemPerMultiprocessor = M.SharedBytesPerSm;
  P.reservedSharedMemPerBlock = M.SharedBytesReserved;
  P.memPitch = 2147483647;
  P.memoryBusWidth = static_cast<int>(M.MemoryBusBits);
  P.l2CacheSize = static_cast<int>(M.L2Bytes);
  P.globalL1CacheSupported = P.localL1CacheSupported = 1;
  P.unifiedAddressing = 1;
  P.canMapHostMemory = 1;
  P.managedMemory = 1;
  P.concurrentManagedAccess = 1;
  P.directManagedMemAccessFromHost = 1;
  P.hostNativeAtomicSupported = 1;
  P.hostRegisterSupported = P.hostRegisterReadOnlySupported = 1;
  P.canUseHostPointerForRegisteredMem = 1;
  P.memoryPoolsSupported = 1;
}

template <size_t Count>
void setSizes(int (&Out)[Count], const int (&Sizes)[Count]) {
  std::copy(std::begin(Sizes), std::end(Sizes), Out);
}

/// The sizes of GPUs of compute capability 9.0. What the heap gives is aligned
/// for textures.
void setImages(cudaDeviceProp &P) {
  P.textureAlignment = P.surfaceAlignment = 256;
  P.texturePitchAlignment = 32;
  P.maxTexture1D = 131072;
  P.maxTexture1DMipmap = 32768;
  setSizes(P.maxTexture2D, {131072, 65536});
  setSizes(P.maxTexture2DMipmap, {32768, 32768});
  setSizes(P.maxTexture2DLinear, {131072, 65000, 2097120});
  setSizes(P.maxTexture2DGather, {32768, 32768});
  setSizes(P.maxTexture3D, {16384, 16384, 16384});
  setSizes(P.maxTexture3DAlt, {8192, 8192, 32768});
  P.maxTextureCubemap = 32768;
  setSizes(P.maxTexture1DLayered, {32768, 2048});
  setSizes(P.maxTexture2DLayered, {32768, 32768, 2048});
  setSizes(P.maxTextureCubemapLayered, {32768, 2046});
  P.maxSurface1D = 32768;
  setSizes(P.maxSurface2D, {131072, 65536});
  setSizes(P.maxSurface3D, {16384, 16384, 16384});
  setSizes(P.maxSurface1DLayered, {32768, 2048});
  setSizes(P.maxSurface2DLayered, {32768, 32768, 2048});
  P.maxSurfaceCubemap = 32768;
  setSizes(P.maxSurfaceCubemapLayered, {32768, 2046});
}

cudaDeviceProp makeProperties(const EmulatedMachine &M) {
  cudaDeviceProp P{};
  setIdentity(M, P);
  setCompute(M, P);
  setMemory(M, P);
  setImages(P);
  return P;
}

struct Current {
  EmulatedMachine Machine;
  cudaDeviceProp Properties = makeProperties(Machine);
};

/// Never destroyed.
Current &current() {
  static Current *Only = new Current;
  return *Only;
}

size_t roundUp(size_t Value, size_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

} // namespace

void useMachine(const EmulatedMachine &Chosen) {
  current().Machine = Chosen;
  current().Properties = makeProperties(Chosen);
}

const EmulatedMachine &emulatedMachine() { return current().Machine; }
const cudaDeviceProp &emulatedProperties() { return current().Properties; }

int emulatedOccupancy(int BlockSize, size_t SharedBytes) {
  const cudaDeviceProp &P = emulatedProperties();
  if (BlockSize > P.maxThreadsPerBlock)
    return 0;
  size_t Threads = roundUp(static_cast<size_t>(BlockSize), WarpSize);
  size_t Registers =
      Threads / WarpSize * roundUp(WarpSize * RegistersPerThread, RegisterUnit);
  size_t Shared =
      roundUp(SharedBytes + P.reservedSharedMemPerBlock, SharedUnit);
  return static_cast<int>(
      std::min({static_cast<size_t>(P.maxBlocksPerMultiProcessor),
                static_cast<size_t>(P.maxThreadsPerMultiProcessor) / Threads,
                static_cast<size_t>(P.regsPerMultiprocessor) / Registers,
                Shared ? P.sharedMemPerMultiprocessor / Shared : size_t(-1)}));
}

size_t emulatedSharedPerBlock(int Blocks) {
  const cudaDeviceProp &P = emulatedProperties();
  size_t Each = P.sharedMemPerMultiprocessor / static_cast<size_t>(Blocks) /
                SharedUnit * SharedUnit;
  size_t Usable = Each > P.reservedSharedMemPerBlock
                      ? Each - P.reservedSharedMemPerBlock
                      : 0;
  return std::min(Usable, P.sharedMemPerBlockOptin);
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
