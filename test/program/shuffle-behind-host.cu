// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shuffled launches behind work that waits for the host do not keep the host
// from going on.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:4 BLOCKMAESTRO_TIMEOUT=20 %t \
// RUN:   | FileCheck %s

#include <atomic>
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>

__global__ void await(volatile int *Flag) {
  while (*Flag == 0)
    ;
}
__global__ void add(int *Out, int Value) { Out[blockIdx.x] += Value; }

static std::atomic<bool> Open;
static void gate(void *) {
  while (!Open)
    std::this_thread::yield();
}

int main() {
  int *Out = nullptr, *Flag = nullptr;
  cudaMallocHost(&Out, 8 * sizeof(int));
  cudaMallocHost(&Flag, sizeof(int));
  for (int I = 0; I < 8; ++I)
    Out[I] = 0;
  *Flag = 0;
  add<<<8, 1>>>(Out, 1);
  await<<<1, 1>>>(Flag);
  add<<<8, 1>>>(Out, 10);
  *reinterpret_cast<volatile int *>(Flag) = 1;
  // CHECK: behind a kernel: cudaSuccess 11
  cudaError_t Ended = cudaDeviceSynchronize();
  std::printf("behind a kernel: %s %d\n", cudaGetErrorName(Ended), Out[7]);
  cudaLaunchHostFunc(nullptr, gate, nullptr);
  add<<<8, 1>>>(Out, 100);
  Open = true;
  // CHECK-NEXT: behind a host function: cudaSuccess 111
  Ended = cudaDeviceSynchronize();
  std::printf("behind a host function: %s %d\n", cudaGetErrorName(Ended),
              Out[7]);
}
