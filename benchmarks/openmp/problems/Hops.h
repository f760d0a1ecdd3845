// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a square of tiles that hold nothing but how many hops they are
// from its corner. What it takes is what tasks take by themselves: each waits
// for those to its left and above, or, where Free is not 0, for none.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_HOPS_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_HOPS_H

#include "Tiled.h"

namespace tasks {

struct Hops {
  enum : int { Side = 4, Threads = 32 }; // A tile has Side * Side numbers.

  Hops(int Tiles, int Free)
      : Tiles(Tiles), Free(Free != 0),
        Start(size_t(Tiles) * size_t(Tiles) * Side * Side, -1) {}

  std::vector<int> reference() const {
    std::vector<int> Want(Start.size());
    for (size_t I = 0; I < Want.size(); ++I) {
      int Tile = int(I / (Side * Side));
      Want[I] = Free ? 1 : Tile / Tiles + Tile % Tiles + 1;
    }
    return Want;
  }

  int Tiles;
  bool Free;
  std::vector<int> Start; // Tile behind tile.
};

} // namespace tasks

#endif
