// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what decoders have in common on the device, at batch 1: kernels
// of vectors of halves with sums in float, and what their own kernels are made
// of.

#ifndef BLOCKMAESTRO_BENCHMARKS_TRANSFORMER_KERNELS_H
#define BLOCKMAESTRO_BENCHMARKS_TRANSFORMER_KERNELS_H

#include "../common/Block.h"
#include "Reference.h"

namespace bench {

__global__ void rmsNorm(int Count, const __half *In, const __half *Weight,
                        __half *Out) {
  float Squares = 0;
  for (int I = threadIdx.x; I < Count; I += Threads)
    Squares += __half2float(In[I]) * __half2float(In[I]);
  float Scale = rsqrtf(blockSum<Threads>(Squares) / float(Count) + Epsilon);
  for (int I = threadIdx.x; I < Count; I += Threads)
    Out[I] =
        __float2half(__half2float(In[I]) * Scale * __half2float(Weight[I]));
}

/// The product of two rows of Pairs pairs, in lane 0 of the warp.
inline __device__ float warpDot(int Pairs, const __half2 *A, const __half2 *B) {
  float Sum = 0;
  for (int I = threadIdx.x % 32; I < Pairs; I += 32) {
    float2 X = __half22float2(A[I]), Y = __half22float2(B[I]);
    Sum += X.x * Y.x + X.y * Y.y;
  }
  for (int Distance = 16; Distance > 0; Distance /= 2)
    Sum += __shfl_down_sync(0xffffffffu, Sum, Distance);
  return Sum;
}

/// A matrix times a vector; a warp gives one row.
__global__ void gemv(int Rows, int Columns, const __half *Matrix,
                     const __half *In, __half *Out) {
  int Row = blockIdx.x * Warps + threadIdx.x / 32;
  if (Row >= Rows)
    return;
  const __half *Weights = Matrix + size_t(Row) * Columns;
  float Sum = warpDot(Columns / 2, reinterpret_cast<const __half2 *>(Weights),
                      reinterpret_cast<const __half2 *>(In));
  if (threadIdx.x % 32 == 0)
    Out[Row] = __float2half(Sum);
}

/// The scores of one head as shares of 1, in place, by a block.
inline __device__ void shareOut(int Length, float *Row) {
  __shared__ float Shared[Threads];
  int Own = threadIdx.x;
  float Largest = -INFINITY;
  for (int I = Own; I < Length; I += Threads)
    Largest = fmaxf(Largest, Row[I]);
  Shared[Own] = Largest;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (Own < Half)
      Shared[Own] = fmaxf(Shared[Own], Shared[Own + Half]);
    __syncthreads();
  }
  Largest = Shared[0];
  float Sum = 0;
  for (int I = Own; I < Length; I += Threads) {
    Row[I] = expf(Row[I] - Largest);
    Sum += Row[I];
  }
  float Total = blockSum<Threads>(Sum);
  for (int I = Own; I < Length; I += Threads)
    Row[I] /= Total;
}

__global__ void addResidual(int Count, const __half *Change, __half *State) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    State[I] = __float2half(__half2float(State[I]) + __half2float(Change[I]));
}

/// SiLU of the first half of In, times the second.
__global__ void gate(int Count, const __half *In, __half *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  float Gate = __half2float(In[I]);
  Out[I] =
      __float2half(Gate / (1.0f + expf(-Gate)) * __half2float(In[Count + I]));
}

} // namespace bench

#endif
