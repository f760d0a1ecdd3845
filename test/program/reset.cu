// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// After cudaDeviceReset the memory is gone and the program can start again.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:4 %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

__device__ int Seen;
__global__ void set(int *Out) {
  Out[blockIdx.x] = 9;
  Seen = 1;
}

int main() {
  int *Device = nullptr, Host[4] = {};
  for (int Turn = 0; Turn < 2; ++Turn) {
    cudaMalloc(&Device, sizeof(Host));
    set<<<4, 1>>>(Device);
    cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
    std::printf("%d %s\n", Host[3], cudaGetErrorName(cudaDeviceReset()));
  }
  // CHECK: 9 cudaSuccess
  // CHECK-NEXT: 9 cudaSuccess
  // CHECK-NEXT: cudaErrorInvalidValue
  std::printf("%s\n", cudaGetErrorName(cudaFree(Device)));
}
