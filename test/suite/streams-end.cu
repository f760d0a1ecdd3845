// Feature: streams: A program may end while its streams have work and its host
// functions have not run.

#include "Inputs/suite.h"

__global__ void work(int *Value) {
  for (int I = 0; I < 1000; ++I)
    *Value = *Value * 3 + I;
}

static void nothing(void *) {}

int main() {
  int *Value = nullptr;
  check(cudaMalloc(&Value, sizeof(int)));
  cudaStream_t Streams[4];
  for (cudaStream_t &Stream : Streams)
    check(cudaStreamCreate(&Stream));
  for (int I = 0; I < 100; ++I) {
    work<<<1, 1, 0, Streams[I % 4]>>>(Value);
    check(cudaLaunchHostFunc(Streams[I % 4], nothing, nullptr));
  }
  return suite::finish();
}
