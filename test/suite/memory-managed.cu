// Feature: memory: managed memory, used by both sides, prefetched and advised.

#include "Inputs/suite.h"

#include <numeric>

__global__ void square(int *Of, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Of[I] = Of[I] * Of[I];
}

constexpr int Count = 5000;

static cudaMemLocation on(cudaMemLocationType Type) {
  cudaMemLocation Out = {};
  Out.type = Type;
  return Out;
}

static int asked(const void *Of, cudaMemRangeAttribute Which) {
  int Value = -77;
  check(cudaMemRangeGetAttribute(&Value, sizeof(Value), Which, Of,
                                 Count * sizeof(int)));
  return Value;
}

int main() {
  int *Data = nullptr;
  size_t Bytes = Count * sizeof(int);
  check(cudaMallocManaged(&Data, Bytes));
  cudaPointerAttributes What;
  check(cudaPointerGetAttributes(&What, Data));
  expect(What.type == cudaMemoryTypeManaged);
  expect(What.hostPointer == Data && What.devicePointer == Data);

  std::iota(Data, Data + Count, 0);
  square<<<20, 256>>>(Data, Count);
  check(cudaDeviceSynchronize());
  std::vector<int> Expected(Count);
  for (int I = 0; I < Count; ++I)
    Expected[I] = I * I;
  same(std::vector<int>(Data, Data + Count), Expected);

  int Concurrent = 0;
  check(cudaDeviceGetAttribute(&Concurrent, cudaDevAttrConcurrentManagedAccess,
                               0));
  if (Concurrent) {
    cudaStream_t Stream;
    check(cudaStreamCreate(&Stream));
    check(cudaMemAdvise(Data, Bytes, cudaMemAdviseSetReadMostly,
                        on(cudaMemLocationTypeDevice)));
    expect(asked(Data, cudaMemRangeAttributeReadMostly) == 1);
    check(cudaMemAdvise(Data, Bytes, cudaMemAdviseUnsetReadMostly,
                        on(cudaMemLocationTypeDevice)));
    expect(asked(Data, cudaMemRangeAttributeReadMostly) == 0);
    expect(asked(Data, cudaMemRangeAttributePreferredLocation) ==
           cudaInvalidDeviceId);
    check(cudaMemAdvise(Data, Bytes, cudaMemAdviseSetPreferredLocation,
                        on(cudaMemLocationTypeDevice)));
    expect(asked(Data, cudaMemRangeAttributePreferredLocation) == 0);
    check(cudaMemPrefetchAsync(Data, Bytes, on(cudaMemLocationTypeDevice), 0,
                               Stream));
    expect(asked(Data, cudaMemRangeAttributeLastPrefetchLocation) == 0);
    check(cudaMemPrefetchAsync(Data, Bytes, on(cudaMemLocationTypeHost), 0,
                               Stream));
    check(cudaStreamSynchronize(Stream));
    expect(asked(Data, cudaMemRangeAttributeLastPrefetchLocation) ==
           cudaCpuDeviceId);
    suite::Array<int> Plain(10);
    expect(cudaMemPrefetchAsync(Plain, 40, on(cudaMemLocationTypeDevice), 0,
                                Stream) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    check(cudaStreamDestroy(Stream));
  }
  same(std::vector<int>(Data, Data + Count), Expected);

  check(cudaMemset(Data, 0, Bytes));
  check(cudaDeviceSynchronize());
  expect(Data[0] == 0 && Data[Count - 1] == 0);
  check(cudaFree(Data));
  expect(cudaMallocManaged(&Data, Bytes, 17) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  return suite::finish();
}
