// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: steps of heat over a plate, in place: a cell becomes the mean of
// the cells to its left and above, of this step, and those to its right and
// below, of the step before. Outside of the plate it is 0 degrees. No product
// is added to anything, so that contraction changes nothing and results are
// equal to the bit.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_HEATSIM_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_HEATSIM_H

#include "Tiled.h"

namespace tasks {

struct HeatSim {
  enum : int { Side = 32, Threads = 32 };

  HeatSim(int Tiles, int Steps)
      : Tiles(Tiles), N(Tiles * Side), Steps(Steps), Heat(size_t(N) * N) {
    bench::Random From(2);
    for (float &Each : Heat)
      Each = float(From.below(1000));
  }

  std::vector<float> reference() const {
    std::vector<float> Now = Heat;
    auto Known = [&](int Y, int X) {
      bool Inside = Y >= 0 && X >= 0 && Y < N && X < N;
      return Inside ? Now[at<Side>(Tiles, Y, X)] : 0.0f;
    };
    for (int Step = 0; Step < Steps; ++Step)
      for (int Y = 0; Y < N; ++Y)
        for (int X = 0; X < N; ++X)
          Now[at<Side>(Tiles, Y, X)] =
              0.25f * ((Known(Y, X - 1) + Known(Y, X + 1)) +
                       (Known(Y - 1, X) + Known(Y + 1, X)));
    return Now;
  }

  int Tiles, N, Steps;
  std::vector<float> Heat; // Tile behind tile.
};

} // namespace tasks

#endif
