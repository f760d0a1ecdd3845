// The emulated device does not run kernels that only CUDA knows, declared or
// not: the launch fails, is no node, and takes its declaration with it.
// RUN: %bmclangxx --offload-arch=sm_90 -Wno-unknown-cuda-version -I%include -c %S/Inputs/closed.cu -o %t.o
// RUN: %bmclangxx -fblockmaestro %s %t.o -o %t
// RUN: env BLOCKMAESTRO_RECORD=%t.rec %t | FileCheck %s
// RUN: %bm-dump graph --all %t.rec | FileCheck --check-prefix=GRAPH %s

// CHECK: cudaErrorInvalidDeviceFunction
// CHECK: cudaSuccess

// GRAPH-NOT: relation
// GRAPH: relation 0 -> 1: 1-to-1
// GRAPH-NOT: relation

#include <cstdio>
#include <cuda_runtime.h>

void launchClosed(const int *In, int *Out, int Size, bool Declares);

__global__ void step(int *Out) { ++Out[blockIdx.x * blockDim.x + threadIdx.x]; }

int main() {
  constexpr int Size = 256;
  int *Memory;
  cudaMalloc(&Memory, Size * sizeof(int));
  launchClosed(Memory, Memory, Size, true);
  std::puts(cudaGetErrorName(cudaGetLastError()));
  step<<<4, 64>>>(Memory);
  step<<<4, 64>>>(Memory);
  std::puts(cudaGetErrorName(cudaGetLastError()));
  return 0;
}
