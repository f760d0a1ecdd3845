// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the kernels that know the token or its position. An int is given
// with the launch; a pointer finds it in device memory, for graphs that are
// launched again without a change, whose grids are as large as ever needed.

#ifndef BLOCKMAESTRO_BENCHMARKS_DECODE_KERNELS_H
#define BLOCKMAESTRO_BENCHMARKS_DECODE_KERNELS_H

#include "../transformer/Kernels.h"

namespace bench {

static constexpr int Groups = 4;

inline __device__ int now(int Given) { return Given; }
inline __device__ int now(const int *Found) { return *Found; }

template <typename Number>
__global__ void embed(int Count, Number Word, const __half *Table,
                      __half *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = Table[size_t(now(Word)) * Count + I];
}

/// Turns a head of the query or the key, one after the other in memory.
template <typename Number>
__global__ void rotate(int Dim, Number Position, __half *Heads) {
  int I = threadIdx.x;
  __half *Head = Heads + blockIdx.x * Dim;
  float Angle = now(Position) * powf(Base, -2.0f * I / Dim);
  float Sin, Cos;
  sincosf(Angle, &Sin, &Cos);
  float A = __half2float(Head[I]), B = __half2float(Head[I + Dim / 2]);
  Head[I] = __float2half(A * Cos - B * Sin);
  Head[I + Dim / 2] = __float2half(A * Sin + B * Cos);
}

/// What a graph that never changes has in place of two copies.
__global__ void append(int Width, const int *Position, const __half *Key,
                       const __half *Value, __half *Keys, __half *Values) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Width)
    return;
  Keys[*Position * Width + I] = Key[I];
  Values[*Position * Width + I] = Value[I];
}

/// A warp gives the score of one position for one head; Sharing heads in a row
/// have the same keys.
template <typename Number>
__global__ void score(int Width, int Dim, int Sharing, Number Position,
                      float Scale, const __half *Query, const __half *Keys,
                      float *Scores) {
  int At = blockIdx.x * Warps + threadIdx.x / 32, Head = blockIdx.y;
  int Length = now(Position) + 1;
  if (At >= Length)
    return;
  const __half *Key = Keys + At * Width + Head / Sharing * Dim;
  float Sum =
      warpDot(Dim / 2, reinterpret_cast<const __half2 *>(Query + Head * Dim),
              reinterpret_cast<const __half2 *>(Key));
  if (threadIdx.x % 32 == 0)
    Scores[Head * Length + At] = Sum * Scale;
}

/// In place; a block has the scores of one head.
template <typename Number>
__global__ void softmax(Number Position, float *Scores) {
  int Length = now(Position) + 1;
  shareOut(Length, Scores + blockIdx.x * Length);
}

/// A block gives one head: a column of threads each dimension, whose rows
/// share the positions.
template <typename Number>
__global__ void attend(int Width, int Sharing, Number Position,
                       const float *Shares, const __half *Values, __half *Out) {
  extern __shared__ float Parts[];
  int I = threadIdx.x, Dim = blockDim.x, Head = blockIdx.x;
  int Length = now(Position) + 1;
  float Sum = 0;
  for (int At = threadIdx.y; At < Length; At += Groups)
    Sum += Shares[Head * Length + At] *
           __half2float(Values[At * Width + Head / Sharing * Dim + I]);
  Parts[threadIdx.y * Dim + I] = Sum;
  __syncthreads();
  if (threadIdx.y > 0)
    return;
  for (int Group = 1; Group < Groups; ++Group)
    Sum += Parts[Group * Dim + I];
  Out[Head * Dim + I] = __float2half(Sum);
}

/// How well each word fits; a warp gives one.
__global__ void logits(int Words, int Count, const __half *Matrix,
                       const __half *In, float *Out) {
  int Word = blockIdx.x * Warps + threadIdx.x / 32;
  if (Word >= Words)
    return;
  const __half *Weights = Matrix + size_t(Word) * Count;
  float Sum = warpDot(Count / 2, reinterpret_cast<const __half2 *>(Weights),
                      reinterpret_cast<const __half2 *>(In));
  if (threadIdx.x % 32 == 0)
    Out[Word] = Sum;
}

} // namespace bench

#endif
