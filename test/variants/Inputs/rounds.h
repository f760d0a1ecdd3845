// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel whose threads may leave while others still wait for each other.

#ifndef ROUNDS_H
#define ROUNDS_H

__global__ void rounds(int *sums, const int *in, int n) {
  __shared__ int part[64];
  int sum = 0;
  for (int i = 0; i + threadIdx.x < n; i += 64) {
    part[threadIdx.x] = in[i + threadIdx.x];
    __syncthreads();
    sum += part[0];
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
}

#endif
