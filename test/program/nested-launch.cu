// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An argument of a launch may itself launch: each keeps its own shape.
// RUN: %bmclangxx -fblockmaestro %s -o %t && %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

__global__ void shape(int *Out, int Inner) {
  *Out = 1000 * gridDim.x + 10 * blockDim.x + Inner;
}

static int launchInside(int *Out, int Depth) {
  if (Depth == 0)
    return 7;
  shape<<<Depth, Depth + 1>>>(Out, launchInside(Out + 1, Depth - 1));
  return Depth;
}

int main() {
  int *Out = nullptr;
  cudaMallocManaged(&Out, 3 * sizeof(int));
  launchInside(Out, 3);
  cudaDeviceSynchronize();
  // CHECK: 3042 2031 1027 no error
  std::printf("%d %d %d %s\n", Out[0], Out[1], Out[2],
              cudaGetErrorString(cudaGetLastError()));
}
