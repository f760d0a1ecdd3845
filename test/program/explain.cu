// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// BLOCKMAESTRO_EXPLAIN says which kernel's accesses were widened and why, with
// how often; without it nothing is printed.
// RUN: %bmclangxx -fblockmaestro %s -o %t && %t 2>&1 | count 0
// RUN: env BLOCKMAESTRO_EXPLAIN=1 %t 2>&1 | FileCheck %s

#include <cuda_runtime.h>

__global__ void gather(const int *Index, const float *In, float *Out) {
  Out[threadIdx.x] = In[Index[threadIdx.x]];
}

int main() {
  int *Index = nullptr;
  float *In = nullptr, *Out = nullptr;
  cudaMalloc(&Index, 128);
  cudaMalloc(&In, 128);
  cudaMalloc(&Out, 128);
  cudaMemset(Index, 0, 128);
  gather<<<1, 32>>>(Index, In, Out);
  gather<<<1, 32>>>(Index, In, Out);
  return cudaDeviceSynchronize();
}
// CHECK: BlockMaestro: gather(int const*, float const*, float*): {{.*}} (2
// times)
