// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// BLOCKMAESTRO_EXPLAIN says which kernel's accesses were widened and why, with
// how often, of the kernel that is the cause, not of one that comes behind it,
// and sums up; without it nothing is printed.
// RUN: %bmclangxx -fblockmaestro %s -o %t && %t 2>&1 | count 0
// RUN: env BLOCKMAESTRO_EXPLAIN=1 %t 2>&1 | FileCheck %s

#include <cuda_runtime.h>

__global__ void gather(const int *Index, const float *In, float *Out) {
  Out[threadIdx.x] = In[Index[threadIdx.x]];
}

__global__ void plain(float *In) { In[threadIdx.x] += 1; }

int main() {
  int *Index = nullptr;
  float *In = nullptr, *Out = nullptr;
  cudaMalloc(&Index, 128);
  cudaMalloc(&In, 128);
  cudaMalloc(&Out, 128);
  cudaMemset(Index, 0, 128);
  gather<<<1, 32>>>(Index, In, Out);
  gather<<<1, 32>>>(Index, In, Out);
  plain<<<1, 32>>>(In);
  plain<<<1, 32>>>(In);
  return cudaDeviceSynchronize();
}
// CHECK-NOT: plain
// CHECK: BlockMaestro: gather(int const*, float const*, float*): {{.*}} (2
// times)
// CHECK-NOT: plain
// CHECK: launches run by blocks: 4, others: 0; relations: {{[1-9][0-9]*}}, {{[1-9][0-9]*}} of them exact

