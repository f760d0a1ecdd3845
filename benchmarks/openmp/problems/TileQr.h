// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: QR decomposition by tiles and Householder's reflections, of a
// matrix that stands row by row. The upper triangle becomes R; what is below it
// in a tile, and Scale, say how to reflect.
//
// Note [Checking R]: with exact reflections R'R = A'A. Each column of the
// computed R is that of A + E, |E column| <= g |A column| in the 2-norm, g = c
// m n u for a small c (Higham, theorem 19.4), so that
//   |R'R - A'A|[I][J] <= (2 g + g^2) |a I| |a J|.
// The bound here has c = 4 and u = 2^-53: 1e-10 at n = 384, and nothing that a
// missed or doubled update would pass.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_TILEQR_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_TILEQR_H

#include "../../common/Host.h"
#include "../Run.h"

namespace tasks {

struct TileQr {
  enum : int { Side = 16, Threads = 32 };

  explicit TileQr(int Tiles)
      : Tiles(Tiles), N(Tiles * Side), Start(size_t(N) * N) {
    bench::Random From(11);
    for (double &Each : Start)
      Each = From.uniform(-1, 1);
  }

  void check(Run &Run, const std::vector<double> &Result) const {
    std::vector<double> R(Result);
    for (int I = 0; I < N; ++I)
      std::fill(R.begin() + size_t(I) * N, R.begin() + size_t(I) * N + I, 0);
    std::vector<double> Got = gram(R), Want = gram(Start);
    double G = 4.0 * N * N * 0x1p-53;
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J) {
        double Norms = std::sqrt(Want[size_t(I) * N + I]) *
                       std::sqrt(Want[size_t(J) * N + J]);
        size_t Place = size_t(I) * N + J;
        Run.expect("R'R", Place, Got[Place], Want[Place],
                   (2 * G + G * G) * Norms);
      }
  }

  long long tasks() const {
    return (long long)Tiles * (Tiles + 1) * (2 * Tiles + 1) / 6;
  }

  int Tiles, N;
  std::vector<double> Start;

private:
  /// A'A.
  std::vector<double> gram(const std::vector<double> &A) const {
    std::vector<double> Sum(A.size());
    for (int K = 0; K < N; ++K)
      for (int I = 0; I < N; ++I)
        for (int J = 0; J < N; ++J)
          Sum[size_t(I) * N + J] += A[size_t(K) * N + I] * A[size_t(K) * N + J];
    return Sum;
  }
};

} // namespace tasks

#endif
