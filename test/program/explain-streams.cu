// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches that go from stream to stream have no relations, and BLOCKMAESTRO_EXPLAIN
// says how often that was; on one stream, and where nothing was in flight, it says
// nothing.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_DEVICE=emulated BLOCKMAESTRO_EXPLAIN=1 %t two 2>&1 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=emulated BLOCKMAESTRO_EXPLAIN=1 %t one 2>&1 | count 0
// RUN: env BLOCKMAESTRO_DEVICE=emulated %t two 2>&1 | count 0

#include <cuda_runtime.h>

#include <cstring>

__global__ void twice(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

int main(int, char **Arguments) {
  float *Of = nullptr;
  cudaStream_t First, Second;
  cudaMalloc(&Of, 4096);
  cudaStreamCreate(&First);
  cudaStreamCreate(&Second);
  const bool Two = !strcmp(Arguments[1], "two");
  for (int I = 0; I < 4; ++I) {
    twice<<<8, 128, 0, First>>>(Of);
    twice<<<8, 128, 0, Two ? Second : First>>>(Of);
  }
  cudaDeviceSynchronize();
  twice<<<8, 128, 0, First>>>(Of);
  return cudaDeviceSynchronize();
}
// CHECK-NOT: BlockMaestro
// CHECK: BlockMaestro: a launch on another stream than the one before came after all in flight, whatever events say (7 times)
// CHECK-NOT: BlockMaestro
