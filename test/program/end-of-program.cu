// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches still in flight at the end of main run, memory may be freed in
// static destructors, and a launch from there fails without a crash.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:1 %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

__global__ void set(int *Out) { Out[blockIdx.x] = 9; }

struct Owner {
  int *Memory = nullptr;
  ~Owner() {
    std::printf("in flight at the end: %d\n", Memory[3]);
    set<<<4, 1>>>(Memory);
    std::printf("late launch: %s\n", cudaGetErrorName(cudaGetLastError()));
    std::printf("late free: %s\n", cudaGetErrorName(cudaFree(Memory)));
  }
} Global;

int main() {
  cudaMallocManaged(&Global.Memory, 4 * sizeof(int));
  set<<<4, 1>>>(Global.Memory);
  // CHECK: in flight at the end: 9
  // CHECK-NEXT: late launch: cudaErrorCudartUnloading
  // CHECK-NEXT: late free: cudaSuccess
}
