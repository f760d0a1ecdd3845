// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two files with a static kernel of one name: which of them a launch means
// cannot be told, so it is refused and never runs the other one.
// RUN: %bmclangxx -fblockmaestro %s %S/Inputs/same-name.cu -o %t
// RUN: env BLOCKMAESTRO_EXPLAIN=1 %t 2>&1 | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

static __global__ void set(int *Out) { *Out = 1; }

void setOther(int *Out);

int main() {
  int *Device = nullptr, Host = 0;
  cudaMalloc(&Device, sizeof(int));
  cudaMemset(Device, 0, sizeof(int));
  set<<<1, 1>>>(Device);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  setOther(Device);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemcpy(&Host, Device, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("value %d\n", Host);
  std::fflush(stdout);
}
// CHECK: cudaErrorNotSupported
// CHECK-NEXT: cudaErrorNotSupported
// CHECK-NEXT: value 0
// CHECK: two files have a kernel of this name
