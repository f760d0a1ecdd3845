// Feature: errors: The last error is of the calling thread; cudaGetLastError
// clears it, cudaPeekAtLastError does not, success does not replace it.
// Flags: -lpthread

#include <cstring>
#include <thread>

#include "Inputs/suite.h"

int main() {
  void *Memory = nullptr;
  expect(cudaPeekAtLastError() == cudaSuccess);
  expect(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  check(cudaMalloc(&Memory, 4));
  expect(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  expect(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  std::thread([] {
    expect(cudaGetLastError() == cudaSuccess);
    expect(cudaEventDestroy(nullptr) == cudaErrorInvalidResourceHandle);
    expect(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  }).join();
  expect(cudaGetLastError() == cudaErrorInvalidDevice);
  expect(cudaGetLastError() == cudaSuccess);
  check(cudaDeviceSynchronize());
  check(cudaFree(Memory));

  expect(!std::strcmp(cudaGetErrorName(cudaErrorInvalidValue),
                      "cudaErrorInvalidValue"));
  expect(!std::strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  expect(!std::strcmp(cudaGetErrorString(cudaErrorInvalidValue),
                      "invalid argument"));
  return suite::finish();
}
