// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the integral histogram of an image: for each class of brightness
// and each pixel how many pixels of the class are not below it and not right of
// it. A tile has the counts of one class behind those of another. Integers.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_INTHIST_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_INTHIST_H

#include "Tiled.h"

namespace tasks {

struct IntHist {
  enum : int { Side = 32, Threads = 256, Classes = 8 };

  explicit IntHist(int Tiles)
      : Tiles(Tiles), N(Tiles * Side), Image(size_t(N) * N) {
    bench::Random From(3);
    for (unsigned char &Each : Image)
      Each = (unsigned char)From.below(Classes);
  }

  /// Where the count of a class at a pixel is.
  TASKS_BOTH static size_t place(int Tiles, int Class, int Y, int X) {
    size_t Tile = size_t(Y / Side) * size_t(Tiles) + size_t(X / Side);
    size_t Pixel = size_t(Y % Side * Side + X % Side);
    return (Tile * Classes + size_t(Class)) * Side * Side + Pixel;
  }

  std::vector<int> reference() const {
    std::vector<int> Count(size_t(N) * N * Classes);
    for (int Class = 0; Class < Classes; ++Class)
      for (int Y = 0; Y < N; ++Y)
        for (int X = 0, Row = 0; X < N; ++X) {
          Row += Image[at<Side>(Tiles, Y, X)] == Class;
          int Up = Y > 0 ? Count[place(Tiles, Class, Y - 1, X)] : 0;
          Count[place(Tiles, Class, Y, X)] = Row + Up;
        }
    return Count;
  }

  int Tiles, N;
  std::vector<unsigned char> Image; // Tile behind tile.
};

} // namespace tasks

#endif
