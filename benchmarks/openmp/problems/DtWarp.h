// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: dynamic time warping: the cheapest way to align the first Y + 1
// numbers of one series with the first X + 1 of another, for all Y and X. Costs
// are integers, so every order of the tiles gives the same.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_DTWARP_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_DTWARP_H

#include "Tiled.h"

namespace tasks {

struct DtWarp {
  enum : int { Side = 32, Threads = 32 };
  /// Larger than the cost of every path.
  enum : int { Never = 1 << 30 };

  explicit DtWarp(int Tiles) : Tiles(Tiles), N(Tiles * Side), A(N), B(N) {
    bench::Random From(1);
    for (int I = 0; I < N; ++I) {
      A[I] = int(From.below(1024));
      B[I] = int(From.below(1024));
    }
  }

  /// Of all cells, tile behind tile.
  std::vector<int> reference() const {
    std::vector<int> Cost(size_t(N) * N);
    auto Known = [&](int Y, int X) {
      return Y >= 0 && X >= 0 ? Cost[at<Side>(Tiles, Y, X)] : int(Never);
    };
    for (int Y = 0; Y < N; ++Y)
      for (int X = 0; X < N; ++X) {
        int Best = std::min(Known(Y - 1, X),
                            std::min(Known(Y, X - 1), Known(Y - 1, X - 1)));
        if (Y == 0 && X == 0)
          Best = 0;
        Cost[at<Side>(Tiles, Y, X)] = std::abs(A[Y] - B[X]) + Best;
      }
    return Cost;
  }

  int Tiles, N;
  std::vector<int> A, B;
};

} // namespace tasks

#endif
