// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several host threads launch and copy at the same time, each on its own
// memory and stream.
// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t && %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:2 %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

__global__ void step(int *Out, int More) {
  Out[blockIdx.x * blockDim.x + threadIdx.x] += More;
}

static void work(int Which, long *Wrong) {
  int *Device = nullptr, Host[256] = {};
  cudaStream_t Own;
  cudaStreamCreate(&Own);
  cudaMalloc(&Device, sizeof(Host));
  cudaMemsetAsync(Device, 0, sizeof(Host), Own);
  for (int I = 0; I < 50; ++I)
    step<<<8, 32, 0, Own>>>(Device, Which);
  cudaMemcpyAsync(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost, Own);
  cudaStreamSynchronize(Own);
  for (int Value : Host)
    *Wrong += Value != 50 * Which;
  cudaFree(Device);
}

int main() {
  long Wrong[4] = {};
  std::vector<std::thread> Threads;
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back(work, I + 1, &Wrong[I]);
  for (std::thread &Each : Threads)
    Each.join();
  // CHECK: wrong 0 0 0 0
  std::printf("wrong %ld %ld %ld %ld\n", Wrong[0], Wrong[1], Wrong[2],
              Wrong[3]);
}
