// Feature: errors: A failed assertion in a kernel says where, and every later call
// reports it.
// Expect-stderr: errors-assert.cu:
// Expect-stderr: block: [2,0,0], thread: [7,0,0] Assertion `In[I] > 0` failed.

#undef NDEBUG
#include <cassert>

#include "Inputs/suite.h"

__global__ void looks(const int *In) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  assert(In[I] > 0);
}

int main() {
  std::vector<int> Numbers(128, 1);
  suite::Array<int> *In = new suite::Array<int>(Numbers);
  looks<<<4, 32>>>(*In);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  Numbers[2 * 32 + 7] = 0;
  check(cudaMemcpy(*In, Numbers.data(), 128 * sizeof(int),
                   cudaMemcpyHostToDevice));
  looks<<<4, 32>>>(*In);
  expect(cudaDeviceSynchronize() == cudaErrorAssert);
  expect(cudaGetLastError() == cudaErrorAssert);
  void *More = nullptr;
  expect(cudaMalloc(&More, 16) == cudaErrorAssert);
  expect(cudaDeviceSynchronize() == cudaErrorAssert);
  return suite::finish();
}
