// Feature: launch: A launch with no blocks or no threads is refused with an
// error, does not run, and leaves the device as it was.

#include "Inputs/suite.h"

__global__ void mark(int *Out) { *Out = 1; }

int main() {
  suite::Array<int> Out(1);
  mark<<<0, 32>>>(Out);
  expect(cudaGetLastError() == cudaErrorInvalidValue);
  mark<<<1, 0>>>(Out);
  expect(cudaGetLastError() == cudaErrorInvalidValue);
  mark<<<dim3(1, 1, 0), 32>>>(Out);
  expect(cudaPeekAtLastError() == cudaErrorInvalidValue);
  expect(cudaGetLastError() == cudaErrorInvalidValue);
  expect(cudaGetLastError() == cudaSuccess);
  same(Out.host(), std::vector<int>{0});
  mark<<<1, 1>>>(Out);
  same(Out.host(), std::vector<int>{1});
  return suite::finish();
}
