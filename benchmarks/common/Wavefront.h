// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the order of the programs whose tiles wait for the tiles above
// and to their left: one anti-diagonal of a square of tiles after the other.

#ifndef BLOCKMAESTRO_BENCHMARKS_WAVEFRONT_H
#define BLOCKMAESTRO_BENCHMARKS_WAVEFRONT_H

#include "Host.h"

#include <cuda_runtime.h>

namespace bench {

/// The tiles of an anti-diagonal: the one in row FirstRow + I stands in column
/// Number - FirstRow - I, for I from 0 to Count - 1.
struct Diagonal {
  int Number, FirstRow, Count;
};

/// The anti-diagonal of this number in a square of \p Tiles by \p Tiles.
__host__ __device__ inline Diagonal diagonal(int Tiles, int Number) {
  int FirstRow = Number < Tiles ? 0 : Number - Tiles + 1;
  int LastRow = Number < Tiles ? Number : Tiles - 1;
  return {Number, FirstRow, LastRow - FirstRow + 1};
}

/// The anti-diagonals of a square of \p Tiles by \p Tiles, in order.
inline std::vector<Diagonal> diagonals(int Tiles) {
  std::vector<Diagonal> Result;
  for (int Number = 0; Number < 2 * Tiles - 1; ++Number)
    Result.push_back(diagonal(Tiles, Number));
  return Result;
}

/// Calls Cell(Y, X) for all N by N cells, on all cores, after the cells above
/// and to the left.
template <typename F> void wavefront(int N, F Cell) {
  static constexpr int Side = 128;
  for (const Diagonal &Each : diagonals((N + Side - 1) / Side))
    parallelFor(Each.Count, [&](size_t I) {
      int Top = (Each.FirstRow + int(I)) * Side;
      int Left = (Each.Number - Each.FirstRow - int(I)) * Side;
      for (int Y = Top; Y < std::min(Top + Side, N); ++Y)
        for (int X = Left; X < std::min(Left + Side, N); ++X)
          Cell(Y, X);
    });
}

} // namespace bench

#endif
