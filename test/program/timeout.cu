// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// BLOCKMAESTRO_TIMEOUT is how long blocks wait for what never comes, wherever
// they run.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_TIMEOUT=1 %t | FileCheck %s
// RUN: env BLOCKMAESTRO_TIMEOUT=1 BLOCKMAESTRO_EXECUTOR=shuffle:2 %t \
// RUN:   | FileCheck %s

#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void await(volatile int *Flag) {
  while (*Flag == 0)
    ;
}

int main() {
  int *Flag = nullptr;
  cudaMalloc(&Flag, sizeof(int));
  cudaMemset(Flag, 0, sizeof(int));
  auto Begin = std::chrono::steady_clock::now();
  await<<<1, 1>>>(Flag);
  // CHECK: cudaErrorLaunchTimeout early
  cudaError_t Ended = cudaDeviceSynchronize();
  double Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin)
          .count();
  std::printf("%s %s\n", cudaGetErrorName(Ended),
              Seconds < 4 ? "early" : "late");
}
