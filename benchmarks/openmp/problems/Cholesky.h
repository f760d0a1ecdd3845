// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: Cholesky's decomposition of a matrix that stands row by row, in
// its lower triangle.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_CHOLESKY_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_CHOLESKY_H

#include "Factors.h"

namespace tasks {

struct Cholesky {
  enum : int { Side = 32, Threads = 256 };

  explicit Cholesky(int Tiles)
      : Tiles(Tiles), N(Tiles * Side), Start(dominantMatrix(N, 8)) {}

  /// Whether the lower triangle is the factor, and the rest as it was.
  void check(Run &Run, const std::vector<float> &Result) const {
    auto Lower = [&](int I, int K) {
      return double(Result[size_t(I) * N + K]);
    };
    expectProduct(
        Run, N, Start, Lower, [&](int K, int J) { return Lower(J, K); },
        [](int I, int J) { return J <= I; });
    for (int I = 0; I < N; ++I)
      for (int J = (I / Side + 1) * Side; J < N; ++J) {
        size_t Place = size_t(I) * N + J;
        Run.expect("above", Place, Result[Place], Start[Place], 0);
      }
  }

  long long tasks() const {
    return (long long)Tiles * (Tiles + 1) * (Tiles + 2) / 6;
  }

  int Tiles, N;
  std::vector<float> Start;
};

} // namespace tasks

#endif
