// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: Smith-Waterman: the scores of all local alignments of two
// sequences of genes. Integers.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_SMW_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_SMW_H

#include "Tiled.h"

namespace tasks {

struct SmW {
  enum : int { Side = 32, Threads = 32 };
  enum : int { Match = 5, Mismatch = -3, Gap = -4 };

  explicit SmW(int Tiles) : Tiles(Tiles), N(Tiles * Side), A(N), B(N) {
    bench::Random From(6);
    for (int I = 0; I < N; ++I) {
      A[I] = "ACGT"[From.below(4)];
      B[I] = "ACGT"[From.below(4)];
    }
  }

  std::vector<int> reference() const {
    std::vector<int> Score(size_t(N) * N);
    auto Known = [&](int Y, int X) {
      return Y >= 0 && X >= 0 ? Score[at<Side>(Tiles, Y, X)] : 0;
    };
    for (int Y = 0; Y < N; ++Y)
      for (int X = 0; X < N; ++X) {
        int Own = A[Y] == B[X] ? int(Match) : int(Mismatch);
        int Best = std::max(0, Known(Y - 1, X - 1) + Own);
        int Skip = std::max(Known(Y - 1, X), Known(Y, X - 1)) + Gap;
        Score[at<Side>(Tiles, Y, X)] = std::max(Best, Skip);
      }
    return Score;
  }

  int Tiles, N;
  std::vector<char> A, B;
};

} // namespace tasks

#endif
