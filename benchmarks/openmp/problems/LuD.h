// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: LU decomposition without pivots, in place, right-looking.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_LUD_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_LUD_H

#include "Factors.h"
#include "Tiled.h"

namespace tasks {

struct LuD {
  enum : int { Side = 32, Threads = 256 };

  explicit LuD(int Tiles)
      : Tiles(Tiles), N(Tiles * Side), Dense(dominantMatrix(N, 7)),
        Start(Dense.size()) {
    for (int Y = 0; Y < N; ++Y)
      for (int X = 0; X < N; ++X)
        Start[at<Side>(Tiles, Y, X)] = Dense[size_t(Y) * N + X];
  }

  /// Whether these are factors.
  void check(Run &Run, const std::vector<float> &Result) const {
    auto Factor = [&](int Y, int X) {
      return double(Result[at<Side>(Tiles, Y, X)]);
    };
    expectProduct(
        Run, N, Dense,
        [&](int I, int K) { return I == K ? 1.0 : Factor(I, K); }, Factor,
        [](int, int) { return true; });
  }

  long long tasks() const {
    return (long long)Tiles * (Tiles + 1) * (2 * Tiles + 1) / 6;
  }

  int Tiles, N;
  std::vector<float> Dense, Start; // By rows, and tile behind tile.
};

} // namespace tasks

#endif
