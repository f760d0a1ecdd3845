// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the summed area table of an image: for each pixel the sum of all
// that are not below it and not right of it, modulo 2^32.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_SATABLE_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_SATABLE_H

#include "Tiled.h"

namespace tasks {

struct SaTable {
  enum : int { Side = 32, Threads = 128 };

  explicit SaTable(int Tiles)
      : Tiles(Tiles), N(Tiles * Side), Image(size_t(N) * N) {
    bench::Random From(5);
    for (unsigned char &Each : Image)
      Each = (unsigned char)From.below(256);
  }

  std::vector<unsigned> reference() const {
    std::vector<unsigned> Table(Image.size());
    for (int Y = 0; Y < N; ++Y) {
      unsigned Row = 0;
      for (int X = 0; X < N; ++X) {
        Row += Image[at<Side>(Tiles, Y, X)];
        unsigned Up = Y > 0 ? Table[at<Side>(Tiles, Y - 1, X)] : 0;
        Table[at<Side>(Tiles, Y, X)] = Row + Up;
      }
    }
    return Table;
  }

  int Tiles, N;
  std::vector<unsigned char> Image; // Tile behind tile.
};

} // namespace tasks

#endif
