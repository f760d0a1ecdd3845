// Feature: streams: A stream that is destroyed while it has work finishes it, and
// the legacy stream still waits for it.

#include "Inputs/gate.h"

__global__ void add(int *Value, int What) { *Value += What; }
__global__ void times(int *Value, int What) { *Value *= What; }

int main() {
  suite::Array<int> Value(1);
  add<<<1, 1>>>(Value, 1);
  times<<<1, 1>>>(Value, 1);
  check(cudaDeviceSynchronize());
  suite::Gate Gate;
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  Gate.close(Stream);
  add<<<1, 1, 0, Stream>>>(Value, 4);
  check(cudaStreamDestroy(Stream));
  times<<<1, 1>>>(Value, 10);
  expect(suite::notReady(cudaStreamQuery(cudaStreamLegacy)));
  Gate.open();
  same(Value.host(), std::vector<int>{50});
  return suite::finish();
}
