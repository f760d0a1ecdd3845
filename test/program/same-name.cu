// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two files with a static kernel, constant and variable of one name each use
// their own, by launch, by pointer and in copies to symbols.
// RUN: %bmclangxx -fblockmaestro %s %S/Inputs/same-name.cu -o %t
// RUN: %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:1 %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

static __constant__ int Scale = 1;
static __device__ int Count = 100;
static __global__ void set(int *Out) {
  Out[0] = Scale;
  Out[1] = Count;
  Count += 1;
}

void setOther(int *Out);
const void *otherKernel();
int otherCount();

static void show(int *Device) {
  int Host[2] = {};
  cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
  std::printf("%s %d %d\n", cudaGetErrorName(cudaGetLastError()), Host[0],
              Host[1]);
}

static void launch(const void *Kernel, int *Device) {
  void *Arguments[] = {&Device};
  cudaLaunchKernel(Kernel, dim3(1), dim3(1), Arguments, 0, nullptr);
  show(Device);
}

int main() {
  int *Device = nullptr, Seven = 7, Count = 0;
  cudaMalloc(&Device, 2 * sizeof(int));
  launch(otherKernel(), Device);
  launch(reinterpret_cast<const void *>(set), Device);
  cudaMemcpyToSymbol(Scale, &Seven, sizeof(int));
  set<<<1, 1>>>(Device);
  show(Device);
  setOther(Device);
  show(Device);
  cudaMemcpyFromSymbol(&Count, ::Count, sizeof(int));
  std::printf("counts %d %d\n", Count, otherCount());
}
// CHECK: cudaSuccess 2 200
// CHECK-NEXT: cudaSuccess 1 100
// CHECK-NEXT: cudaSuccess 7 101
// CHECK-NEXT: cudaSuccess 2 210
// CHECK-NEXT: counts 102 220
