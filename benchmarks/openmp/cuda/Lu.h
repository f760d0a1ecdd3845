// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a block of the CUDA baselines of LU does with a tile of Side
// by Side numbers, row by row; all its threads call, and wait for each other
// before what comes next.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_CUDA_LU_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_CUDA_LU_H

namespace tasks {

template <int Side> __device__ void lu0(float *Diagonal) {
  int Own = int(threadIdx.x), Threads = int(blockDim.x);
  for (int K = 0; K < Side - 1; ++K) {
    for (int Y = K + 1 + Own; Y < Side; Y += Threads)
      Diagonal[Y * Side + K] /= Diagonal[K * Side + K];
    __syncthreads();
    for (int Cell = Own; Cell < Side * Side; Cell += Threads) {
      int Y = Cell / Side, X = Cell % Side;
      if (Y > K && X > K)
        Diagonal[Cell] -= Diagonal[Y * Side + K] * Diagonal[K * Side + X];
    }
    __syncthreads();
  }
}

template <int Side> __device__ void fwd(const float *Diagonal, float *Right) {
  for (int X = int(threadIdx.x); X < Side; X += int(blockDim.x))
    for (int K = 0; K < Side - 1; ++K)
      for (int Y = K + 1; Y < Side; ++Y)
        Right[Y * Side + X] -= Diagonal[Y * Side + K] * Right[K * Side + X];
}

template <int Side> __device__ void bdiv(const float *Diagonal, float *Below) {
  for (int Y = int(threadIdx.x); Y < Side; Y += int(blockDim.x))
    for (int K = 0; K < Side; ++K) {
      float Factor = Below[Y * Side + K] /= Diagonal[K * Side + K];
      for (int X = K + 1; X < Side; ++X)
        Below[Y * Side + X] -= Factor * Diagonal[K * Side + X];
    }
}

template <int Side>
__device__ void bmod(const float *Below, const float *Right, float *Own) {
  for (int Cell = int(threadIdx.x); Cell < Side * Side;
       Cell += int(blockDim.x)) {
    float Sum = 0;
    for (int K = 0; K < Side; ++K)
      Sum += Below[Cell / Side * Side + K] * Right[K * Side + Cell % Side];
    Own[Cell] -= Sum;
  }
}

} // namespace tasks

#endif
