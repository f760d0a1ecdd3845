// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Device and constant variables are read and written by kernels and by the
// host, through their symbols and their addresses.
// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t && %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:3 %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

__constant__ int Factors[4];
__device__ int Sums[128];
__device__ int Start = 11;

__global__ void fill() {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Sums[I] = Start + Factors[I % 4] * I;
}
__global__ void twice() { Sums[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

int main() {
  int Host[128] = {}, Values[4] = {1, 2, 3, 4}, Extra = 1000;
  cudaMemcpyToSymbol(Factors, Values, sizeof(Values));
  fill<<<4, 32>>>();
  twice<<<4, 32>>>();
  cudaMemcpyToSymbol(Sums, &Extra, sizeof(int), 5 * sizeof(int));
  cudaMemcpyFromSymbol(Host, Sums, sizeof(Host));
  // CHECK: 26 1000 1038
  std::printf("%d %d %d\n", Host[1], Host[5], Host[127]);
  int *Address = nullptr, Second = 0;
  size_t Bytes = 0;
  cudaGetSymbolAddress(reinterpret_cast<void **>(&Address), Sums);
  cudaGetSymbolSize(&Bytes, Sums);
  cudaMemcpy(&Second, Address + 2, sizeof(int), cudaMemcpyDeviceToHost);
  // CHECK-NEXT: 512 34
  std::printf("%zu %d\n", Bytes, Second);
  // CHECK-NEXT: cudaErrorInvalidValue cudaErrorInvalidSymbol
  std::printf("%s %s\n",
              cudaGetErrorName(cudaMemcpyToSymbol(Factors, Values, 17)),
              cudaGetErrorName(cudaGetSymbolSize(
                  &Bytes, reinterpret_cast<const void *>(&Host))));
}
