// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program sees CUDA's own error codes for what it does wrong, and a wrong
// launch does not stop the ones after it.
// RUN: %bmclangxx -fblockmaestro %s -o %t && %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int *Out, int Value) { Out[threadIdx.x] = Value; }

static void show(const char *What, cudaError_t Error) {
  std::printf("%s: %s\n", What, cudaGetErrorName(Error));
}

int main() {
  int *Device = nullptr, Host[64] = {}, Value = 7;
  show("allocate", cudaMalloc(&Device, sizeof(Host)));
  fill<<<1, 1025>>>(Device, 1);
  // CHECK: too many threads: cudaErrorInvalidValue
  show("too many threads", cudaPeekAtLastError());
  // CHECK-NEXT: again: cudaErrorInvalidValue
  show("again", cudaGetLastError());
  // CHECK-NEXT: cleared: cudaSuccess
  show("cleared", cudaGetLastError());
  fill<<<0, 1>>>(Device, 1);
  // CHECK-NEXT: no blocks: cudaErrorInvalidValue
  show("no blocks", cudaGetLastError());
  fill<<<dim3(1, 65536), 1>>>(Device, 1);
  // CHECK-NEXT: grid too high: cudaErrorInvalidValue
  show("grid too high", cudaGetLastError());
  fill<<<1, 1, 48 * 1024 + 1>>>(Device, 1);
  // CHECK-NEXT: too much shared: cudaErrorInvalidValue
  show("too much shared", cudaGetLastError());
  // CHECK-NEXT: opt in: cudaSuccess
  show("opt in",
       cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            64 * 1024));
  // CHECK-NEXT: no kernel: cudaErrorInvalidDeviceFunction
  void *Args[] = {&Device, &Value};
  show("no kernel",
       cudaLaunchKernel(reinterpret_cast<void *>(&show), 1, 1, Args, 0, 0));
  // CHECK-NEXT: copy too long: cudaErrorInvalidValue
  show("copy too long",
       cudaMemcpy(Host, Device, sizeof(Host) + 1, cudaMemcpyDeviceToHost));
  // CHECK-NEXT: free twice: cudaErrorInvalidValue
  show("free twice", cudaFree(Host));
  // CHECK-NEXT: too much memory: cudaErrorMemoryAllocation
  int *Huge = nullptr;
  show("too much memory", cudaMalloc(&Huge, size_t(1) << 60));
  // CHECK-NEXT: no such device: cudaErrorInvalidDevice
  show("no such device", cudaSetDevice(5));
  // CHECK-NEXT: last: cudaErrorInvalidDevice, invalid device ordinal
  cudaError_t Last = cudaGetLastError();
  std::printf("last: %s, %s\n", cudaGetErrorName(Last),
              cudaGetErrorString(Last));
  fill<<<1, 64, 60 * 1024>>>(Device, Value);
  show("launch", cudaGetLastError());
  // CHECK-NEXT: launch: cudaSuccess
  cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
  // CHECK-NEXT: value 7
  std::printf("value %d\n", Host[63]);
}
