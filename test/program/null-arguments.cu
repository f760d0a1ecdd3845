// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel with parameters launched without arguments is an invalid value, not
// a crash.
// RUN: %bmclangxx -fblockmaestro %s -o %t && %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int *Out) { Out[threadIdx.x] = 1; }

int main() {
  cudaError_t Error = cudaLaunchKernel(reinterpret_cast<void *>(&fill), 1, 1,
                                       nullptr, 0, nullptr);
  // CHECK: cudaErrorInvalidValue
  std::printf("%s\n", cudaGetErrorName(Error));
}
