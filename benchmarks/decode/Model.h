// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a model of the Llama kind: its sizes, and its weights, which are
// made on the device from a seed; the host makes the same ones again, row by
// row, where it needs them, so that a billion of them cost it nothing.

#ifndef BLOCKMAESTRO_BENCHMARKS_DECODE_MODEL_H
#define BLOCKMAESTRO_BENCHMARKS_DECODE_MODEL_H

#include "../transformer/Reference.h"

namespace bench {

/// The sizes of a model, and of a run.
struct Shape {
  int Dim, Inner, Layers, Heads, KeyHeads, Words, Context, Tokens, Checked;

  /// Numbers of one head.
  int head() const { return Dim / Heads; }
  /// Numbers of a key, and of a value.
  int width() const { return head() * KeyHeads; }
  /// Heads in a row with the same keys and values.
  int sharing() const { return Heads / KeyHeads; }
};

/// Numbers around Middle, up to 32768 steps away. Host and device have the same
/// bits, whether or not a device multiplies and adds in one operation: the
/// product is exact, or Middle is 0.
struct Spread {
  uint64_t Seed;
  float Middle, Step;

  /// Number \p I of splitmix64 from the seed, its upper 16 bits.
  __host__ __device__ __half at(uint64_t I) const {
    uint64_t Z = Seed + (I + 1) * 0x9e3779b97f4a7c15u;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
    int16_t Steps = int16_t((Z ^ (Z >> 31)) >> 48);
    return __float2half(Middle + Step * float(Steps));
  }

  /// Between -1 and 1.
  static Spread unit(uint64_t Seed) { return {Seed, 0, 0x1p-15f}; }
  /// Between 0.5 and 1.5.
  static Spread aroundOne(uint64_t Seed) { return {Seed, 1, 0x1p-16f}; }
  /// Such that a product with rows of \p Columns is about as large as what it
  /// is made of.
  static Spread keepsSize(uint64_t Seed, int Columns) {
    return {Seed, 0, float(std::sqrt(3.0 / Columns)) / 32768};
  }
};

__global__ void fill(size_t Count, Spread From, __half *Out) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    Out[I] = From.at(I);
}

/// A matrix; a row alone is a vector.
struct Weights {
  int Rows, Columns;
  Spread From;
  Array<__half> Device;

  Weights(int Rows, int Columns, Spread From)
      : Rows(Rows), Columns(Columns), From(From),
        Device(size_t(Rows) * Columns) {
    fill<<<unsigned((Device.size() + Threads - 1) / Threads), Threads>>>(
        Device.size(), From, Device);
    CUDA_CHECK(cudaGetLastError());
  }

  std::vector<__half> halves(size_t Row) const {
    std::vector<__half> Result(Columns);
    for (size_t I = 0; I < Result.size(); ++I)
      Result[I] = From.at(Row * Columns + I);
    return Result;
  }
  Values row(size_t Row) const {
    Values Result(Columns);
    for (size_t I = 0; I < Result.size(); ++I)
      Result[I] = __half2float(From.at(Row * Columns + I));
    return Result;
  }
};

/// The weights of a decoder block, and its keys and values of all positions.
struct Layer {
  Weights Before, Query, Key, Value, Output, After, Gate, Up, Down;
  Array<__half> Keys, Values;

  Layer(uint64_t Seed, const Shape &Of)
      : Before(1, Of.Dim, Spread::aroundOne(Seed + 1)),
        Query(matrix(Seed + 2, Of.Dim, Of.Dim)),
        Key(matrix(Seed + 3, Of.width(), Of.Dim)),
        Value(matrix(Seed + 4, Of.width(), Of.Dim)),
        Output(matrix(Seed + 5, Of.Dim, Of.Dim)),
        After(1, Of.Dim, Spread::aroundOne(Seed + 6)),
        Gate(matrix(Seed + 7, Of.Inner, Of.Dim)),
        Up(matrix(Seed + 8, Of.Inner, Of.Dim)),
        Down(matrix(Seed + 9, Of.Dim, Of.Inner)),
        Keys(size_t(Of.Context) * Of.width()),
        Values(size_t(Of.Context) * Of.width()) {}

  static Weights matrix(uint64_t Seed, int Rows, int Columns) {
    // A seed of its own stream: neighbouring ones are the same numbers moved.
    return {Rows, Columns, Spread::keepsSize(Random(Seed).next(), Columns)};
  }
};

} // namespace bench

#endif
