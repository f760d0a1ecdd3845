// Feature: errors: An assertion that fails on the device is reported by the next
// call that waits and by every later one.

#undef NDEBUG
#include <cassert>

#include "Inputs/suite.h"

__global__ void fails(const int *Zero) { assert(*Zero != 0); }
__global__ void mark(int *Out) { *Out = 1; }

int main() {
  int *Zero = nullptr;
  check(cudaMalloc(&Zero, sizeof(int)));
  check(cudaMemset(Zero, 0, sizeof(int)));
  check(cudaDeviceSynchronize());
  fails<<<1, 1>>>(Zero);
  expect(cudaDeviceSynchronize() == cudaErrorAssert);
  expect(cudaPeekAtLastError() == cudaErrorAssert);
  expect(cudaGetLastError() == cudaErrorAssert);
  mark<<<1, 1>>>(Zero);
  expect(cudaGetLastError() == cudaErrorAssert);
  void *Memory = nullptr;
  expect(cudaMalloc(&Memory, 4) == cudaErrorAssert);
  int Host = 5;
  expect(cudaMemcpy(&Host, Zero, sizeof(int), cudaMemcpyDeviceToHost) ==
         cudaErrorAssert);
  expect(Host == 5);
  expect(cudaStreamSynchronize(nullptr) == cudaErrorAssert);
  expect(cudaFree(Zero) == cudaErrorAssert);
  return suite::finish();
}
