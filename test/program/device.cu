// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The emulated device describes itself consistently.
// RUN: %bmclangxx -fblockmaestro %s -o %t && %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

__global__ void tiled(int *Out) {
  __shared__ int Tile[1024];
  Tile[threadIdx.x] = Out[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = Tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int Count = 0, Which = 7, Threads = 0, Blocks = 0, Version = 0;
  cudaGetDeviceCount(&Count);
  cudaGetDevice(&Which);
  // CHECK: 1 device, number 0
  std::printf("%d device, number %d\n", Count, Which);
  cudaDeviceProp Properties;
  cudaGetDeviceProperties(&Properties, 0);
  cudaDeviceGetAttribute(&Threads, cudaDevAttrMaxThreadsPerBlock, 0);
  // CHECK-NEXT: BlockMaestro emulated device, 9.0, 1024 1024
  std::printf("%s, %d.%d, %d %d\n", Properties.name, Properties.major,
              Properties.minor, Properties.maxThreadsPerBlock, Threads);
  cudaFuncAttributes Attributes;
  cudaFuncGetAttributes(&Attributes, tiled);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, tiled, 256, 60 * 1024);
  // CHECK-NEXT: shared 4096, occupancy 3
  std::printf("shared %zu, occupancy %d\n", Attributes.sharedSizeBytes, Blocks);
  size_t Free = 0, Later = 0, Total = 0;
  void *Memory = nullptr;
  cudaMemGetInfo(&Free, &Total);
  cudaMalloc(&Memory, 1 << 20);
  cudaMemGetInfo(&Later, &Total);
  // CHECK-NEXT: 1048576 less
  std::printf("%zu less\n", Free - Later);
  cudaRuntimeGetVersion(&Version);
  // CHECK-NEXT: version 13
  std::printf("version %d\n", Version / 1000);
}
