// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel the emulated device cannot run gives an error, and its reason under
// BLOCKMAESTRO_EXPLAIN; other kernels still run.
// RUN: %bmclangxx -fblockmaestro --offload-arch=sm_90a %s -o %t
// RUN: env BLOCKMAESTRO_EXPLAIN=1 %t 2>&1 | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

__global__ void matrix(int *Out) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  Out[0] = 1;
}
__global__ void fill(int *Out) { Out[0] = 5; }

int main() {
  int *Device = nullptr, Host = 0;
  cudaMalloc(&Device, sizeof(int));
  matrix<<<1, 1>>>(Device);
  // CHECK: launch: cudaErrorNotSupported
  std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  fill<<<1, 1>>>(Device);
  cudaMemcpy(&Host, Device, sizeof(int), cudaMemcpyDeviceToHost);
  // CHECK-NEXT: value 5, cudaSuccess
  std::printf("value %d, %s\n", Host, cudaGetErrorName(cudaGetLastError()));
  std::fflush(stdout);
}
// CHECK: BlockMaestro: matrix(int*): {{.*}}wgmma.fence
