// What warps of a program did is replayed: each of 256 warps reads eight sectors
// and writes four; with one block in eight traced as many are touched, between
// those of the traced ones, and beyond them.
// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t && env BLOCKMAESTRO_RECORD=%t.bmrec,warps %t
// RUN: %bm-sim %t.bmrec --detail warp --machine titanx-pascal --json | FileCheck %s
// RUN: env BLOCKMAESTRO_RECORD=%t.bmrec,warps:1/8 %t && %bm-sim %t.bmrec --detail warp --json | FileCheck %s --check-prefixes=CHECK,SAMPLE

// CHECK: "blocks": 64,
// SAMPLE: "blocks_traced": 8,
// CHECK: "dram_reads": 2048,
// CHECK: "l1_reads": 2048,
// CHECK: "l2_writes": 1024,

#include <cuda_runtime.h>

__global__ void add(const float *A, const float *B, float *C) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  C[I] = A[I] + B[I];
}

int main() {
  constexpr unsigned Count = 64 * 128;
  float *Memory = nullptr;
  if (cudaMalloc(&Memory, 3 * Count * sizeof(float)) != cudaSuccess)
    return 1;
  add<<<64, 128>>>(Memory, Memory + Count, Memory + 2 * Count);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
