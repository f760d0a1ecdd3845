// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a square matrix of tiles, tile behind tile, and each tile row by
// row: every tile is one range of memory.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_TILED_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_TILED_H

#include "../../common/Host.h"

#include <cstddef>

#ifdef __CUDACC__
#define TASKS_BOTH __host__ __device__
#else
#define TASKS_BOTH
#endif

namespace tasks {

#pragma omp declare target
/// Where the element in row Y and column X is, of Tiles by Tiles tiles of Side
/// by Side elements.
template <int Side> TASKS_BOTH inline size_t at(int Tiles, int Y, int X) {
  size_t Tile = size_t(Y / Side) * size_t(Tiles) + size_t(X / Side);
  return Tile * Side * Side + size_t(Y % Side * Side + X % Side);
}
#pragma omp end declare target

/// What the tasks of an anti-diagonal of tiles are: Count of them, the first in
/// row Row.
struct AntiDiagonal {
  int Row, Count;
};

TASKS_BOTH inline AntiDiagonal antiDiagonal(int Tiles, int Number) {
  int Row = Number < Tiles ? 0 : Number - Tiles + 1;
  int Last = Number < Tiles ? Number : Tiles - 1;
  return {Row, Last - Row + 1};
}

} // namespace tasks

#endif
