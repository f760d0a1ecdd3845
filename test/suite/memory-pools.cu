// Feature: memory: allocation in the order of streams, and memory pools.

#include "Inputs/suite.h"

#include <cstdint>

__global__ void fill(int *Of, int Value) { Of[threadIdx.x] = Value; }
__global__ void add(int *To, const int *From) {
  To[threadIdx.x] += From[threadIdx.x];
}

static uint64_t used(cudaMemPool_t Of) {
  uint64_t Out = 0;
  check(cudaMemPoolGetAttribute(Of, cudaMemPoolAttrUsedMemCurrent, &Out));
  return Out;
}

static void inOrder(cudaStream_t Stream) {
  suite::Array<int> Sum(64);
  for (int Round = 1; Round <= 100; ++Round) {
    int *Next = nullptr;
    check(cudaMallocAsync(&Next, 64 * sizeof(int), Stream));
    fill<<<1, 64, 0, Stream>>>(Next, Round);
    add<<<1, 64, 0, Stream>>>(Sum, Next);
    check(cudaFreeAsync(Next, Stream));
  }
  check(cudaStreamSynchronize(Stream));
  same(Sum.host(), std::vector<int>(64, 5050));
}

static void ownPool(cudaStream_t Stream) {
  cudaMemPoolProps Asked = {};
  Asked.allocType = cudaMemAllocationTypePinned;
  Asked.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t Pool = nullptr, Current = nullptr, Default = nullptr;
  check(cudaMemPoolCreate(&Pool, &Asked));
  uint64_t Threshold = 1 << 20;
  check(cudaMemPoolSetAttribute(Pool, cudaMemPoolAttrReleaseThreshold,
                                &Threshold));
  Threshold = 0;
  check(cudaMemPoolGetAttribute(Pool, cudaMemPoolAttrReleaseThreshold,
                                &Threshold));
  expect(Threshold == 1 << 20);
  expect(used(Pool) == 0);
  int *Data = nullptr;
  check(cudaMallocFromPoolAsync(&Data, 4096, Pool, Stream));
  expect(used(Pool) >= 4096);
  fill<<<1, 64, 0, Stream>>>(Data, 3);
  check(cudaFreeAsync(Data, Stream));
  check(cudaStreamSynchronize(Stream));
  expect(used(Pool) == 0);
  uint64_t High = 0;
  check(cudaMemPoolGetAttribute(Pool, cudaMemPoolAttrUsedMemHigh, &High));
  expect(High >= 4096);
  check(cudaMemPoolTrimTo(Pool, 0));

  check(cudaDeviceGetDefaultMemPool(&Default, 0));
  check(cudaDeviceGetMemPool(&Current, 0));
  expect(Current == Default);
  check(cudaDeviceSetMemPool(0, Pool));
  check(cudaDeviceGetMemPool(&Current, 0));
  expect(Current == Pool);
  check(cudaMallocAsync(&Data, 4096, Stream));
  expect(used(Pool) >= 4096);
  check(cudaFreeAsync(Data, Stream));
  check(cudaStreamSynchronize(Stream));
  check(cudaDeviceSetMemPool(0, Default));
  check(cudaMemPoolDestroy(Pool));
}

static void mixed(cudaStream_t Stream) {
  void *Data = nullptr;
  check(cudaMallocAsync(&Data, 100, Stream));
  check(cudaStreamSynchronize(Stream));
  check(cudaFree(Data));
  cudaPointerAttributes What;
  check(cudaMallocAsync(&Data, 100, Stream));
  check(cudaPointerGetAttributes(&What, Data));
  expect(What.type == cudaMemoryTypeDevice);
  check(cudaFreeAsync(Data, Stream));
  check(cudaStreamSynchronize(Stream));
}

static void errors(cudaStream_t Stream) {
  int Local = 0;
  void *Data = nullptr;
  expect(cudaMallocAsync(nullptr, 8, Stream) == cudaErrorInvalidValue);
  expect(cudaMallocAsync(&Data, size_t(1) << 60, Stream) ==
         cudaErrorMemoryAllocation);
  expect(cudaFreeAsync(&Local, Stream) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

int main() {
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  inOrder(Stream);
  ownPool(Stream);
  mixed(Stream);
  errors(Stream);
  check(cudaStreamDestroy(Stream));
  return suite::finish();
}
