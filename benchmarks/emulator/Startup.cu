// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the monotonic clock when its first kernel has run.

#include <cstdio>
#include <ctime>
#include <cuda_runtime.h>

__global__ void scale(float *Data, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Data[I] = 2 * Data[I];
}

int main() {
  float *Data;
  if (cudaMalloc(&Data, 4096) != cudaSuccess)
    return 1;
  scale<<<4, 256>>>(Data, 1024);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  std::printf("%.9f\n", Now.tv_sec + 1e-9 * Now.tv_nsec);
}
