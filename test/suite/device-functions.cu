// Feature: device: attributes of kernels, occupancy, and the largest blocks that fit.

#include "Inputs/suite.h"

#include <cstring>

__global__ void plain(int *Out, char, double) { Out[threadIdx.x] = 1; }

__global__ void shared(int *Out) {
  __shared__ int Own[1000];
  extern __shared__ int More[];
  Own[threadIdx.x] = threadIdx.x;
  More[threadIdx.x] = 2;
  __syncthreads();
  Out[threadIdx.x] = Own[blockDim.x - 1 - threadIdx.x] + More[threadIdx.x];
}

static void attributes(const cudaDeviceProp &P) {
  cudaFuncAttributes Of;
  check(cudaFuncGetAttributes(&Of, shared));
  expect(Of.sharedSizeBytes == 4000);
  expect(Of.maxThreadsPerBlock >= 32 &&
         Of.maxThreadsPerBlock <= P.maxThreadsPerBlock);
  expect(Of.numRegs > 0);
  expect(Of.binaryVersion == 10 * P.major + P.minor);
  const char *Name = nullptr;
  check(cudaFuncGetName(&Name, reinterpret_cast<const void *>(shared)));
  expect(std::strstr(Name, "shared"));
  size_t Offset = 0, Bytes = 0;
  check(cudaFuncGetParamInfo(reinterpret_cast<const void *>(plain), 2, &Offset,
                             &Bytes));
  expect(Offset == 16 && Bytes == 8);
  expect(cudaFuncGetParamInfo(reinterpret_cast<const void *>(plain), 3, &Offset,
                              &Bytes) == cudaErrorInvalidValue);
  int Local = 0;
  expect(cudaFuncGetAttributes(&Of, &Local) != cudaSuccess);
  (void)cudaGetLastError();
}

static void moreSharedMemory(const cudaDeviceProp &P) {
  int Most = int(P.sharedMemPerBlockOptin) - 4000;
  suite::Array<int> Out(128);
  shared<<<1, 128, P.sharedMemPerBlock>>>(Out);
  expect(cudaGetLastError() != cudaSuccess);
  check(cudaFuncSetAttribute(shared,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, Most));
  cudaFuncAttributes Of;
  check(cudaFuncGetAttributes(&Of, shared));
  expect(Of.maxDynamicSharedSizeBytes == Most);
  shared<<<1, 128, P.sharedMemPerBlock>>>(Out);
  check(cudaGetLastError());
  std::vector<int> Expected(128);
  for (int I = 0; I < 128; ++I)
    Expected[I] = 127 - I + 2;
  same(Out.host(), Expected);
  expect(cudaFuncSetAttribute(shared,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              Most + 100000) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

static void occupancy(const cudaDeviceProp &P) {
  int Blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, 256, 0));
  expect(Blocks >= 1 && Blocks * 256 <= P.maxThreadsPerMultiProcessor);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, 32, 0));
  expect(Blocks >= 1 && Blocks <= P.maxBlocksPerMultiProcessor);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, 64,
                                                      40 << 10));
  expect(Blocks >= 1 &&
         size_t(Blocks) * (40 << 10) <= P.sharedMemPerMultiprocessor);
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, 0, 0) ==
         cudaErrorInvalidValue);
  (void)cudaGetLastError();
  int Grid = 0, Block = 0;
  check(cudaOccupancyMaxPotentialBlockSize(&Grid, &Block, plain));
  expect(Block >= 32 && Block <= P.maxThreadsPerBlock && Block % 32 == 0);
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, Block, 0));
  expect(Grid == Blocks * P.multiProcessorCount);
  check(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      &Grid, &Block, plain, [](int Threads) { return size_t(Threads) * 16; }));
  expect(Block >= 32);
  size_t Free = 0;
  check(cudaOccupancyAvailableDynamicSMemPerBlock(&Free, plain, 2, 128));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, plain, 128,
                                                      Free));
  expect(Blocks >= 2);
}

int main() {
  cudaDeviceProp P;
  check(cudaGetDeviceProperties(&P, 0));
  attributes(P);
  moreSharedMemory(P);
  occupancy(P);
  return suite::finish();
}
