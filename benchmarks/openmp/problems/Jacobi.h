// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: Jacobi's iteration for Poisson's equation: each iteration copies
// the newest grid and computes every cell from the copies of its neighbours and
// the charge. Outside of the grid all is 0. The one product is of the sum, so
// that contraction changes nothing and results are equal to the bit.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_JACOBI_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_JACOBI_H

#include "Tiled.h"

namespace tasks {

struct Jacobi {
  enum : int { Side = 64, Threads = 256 };

  Jacobi(int Tiles, int Iterations)
      : Tiles(Tiles), N(Tiles * Side), Iterations(Iterations),
        Charge(size_t(N) * N), Start(size_t(N) * N) {
    bench::Random From(4);
    for (size_t I = 0; I < Start.size(); ++I) {
      Charge[I] = float(From.uniform(-1, 1));
      Start[I] = float(From.uniform(-1, 1));
    }
  }

  std::vector<float> reference() const {
    std::vector<float> New = Start, Old(New.size());
    auto Known = [&](int Y, int X) {
      bool Inside = Y >= 0 && X >= 0 && Y < N && X < N;
      return Inside ? Old[at<Side>(Tiles, Y, X)] : 0.0f;
    };
    for (int Iteration = 0; Iteration < Iterations; ++Iteration) {
      Old = New;
      for (int Y = 0; Y < N; ++Y)
        for (int X = 0; X < N; ++X)
          New[at<Side>(Tiles, Y, X)] =
              0.25f * (((Known(Y, X - 1) + Known(Y, X + 1)) +
                        (Known(Y - 1, X) + Known(Y + 1, X))) +
                       Charge[at<Side>(Tiles, Y, X)]);
    }
    return New;
  }

  int Tiles, N, Iterations;
  std::vector<float> Charge, Start; // Tile behind tile.
};

} // namespace tasks

#endif
