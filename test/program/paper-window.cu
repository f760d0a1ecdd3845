// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The paper's window looks at what the launch before has written, and at
// nothing else. Here a launch overwrites what the one before still reads: with
// the paper's window some order gives other bytes, with the default none does.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: %t > %t.serial
// RUN: bash -c 'for seed in {0..23}; do BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t | cmp -s %t.serial - || exit 1; done'
// RUN: bash -c 'for seed in {0..23}; do BLOCKMAESTRO_WINDOW=1,in-order BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t | cmp -s %t.serial - || exit 1; done'
// RUN: bash -c 'for seed in {0..23}; do BLOCKMAESTRO_WORKERS=1 BLOCKMAESTRO_WINDOW=paper BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t | cmp -s %t.serial - || { echo other bytes; exit 0; }; done; echo none' | FileCheck %s

// CHECK: other bytes

#include <cstdio>

constexpr int N = 256;

__global__ void reverse(int *To, const int *From) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = From[N - 1 - I];
}

__global__ void count(int *To, int First) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = First + I;
}

int main() {
  int *A = nullptr, *B = nullptr, Host[N];
  cudaMalloc(&A, sizeof(Host));
  cudaMalloc(&B, sizeof(Host));
  count<<<8, 32>>>(A, 0);
  reverse<<<8, 32>>>(B, A);
  count<<<8, 32>>>(A, 1000); // WAR with the launch before.
  cudaMemcpy(Host, B, sizeof(Host), cudaMemcpyDeviceToHost);
  for (int Each : Host)
    std::printf("%d\n", Each);
}
