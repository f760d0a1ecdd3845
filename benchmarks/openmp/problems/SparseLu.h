// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: LU decomposition of a sparse matrix of blocks, many of which are
// absent. Which will be there, the factors' included, is found first, without
// the numbers; a block that fills in starts as zeros.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_SPARSELU_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_SPARSELU_H

#include "Factors.h"

namespace tasks {

struct SparseLu {
  enum : int { Side = 16, Threads = 128 };

  explicit SparseLu(int Blocks)
      : Blocks(Blocks), N(Blocks * Side), Where(size_t(Blocks) * Blocks, -1),
        Dense(dominantMatrix(N, 9)) {
    bench::Random From(10);
    for (int I = 0; I < Blocks; ++I)
      for (int J = 0; J < Blocks; ++J)
        if (std::abs(I - J) > 1 && From.below(100) >= 15)
          leaveOut(I, J);
        else
          Where[size_t(I) * Blocks + J] = 0;
    fillIn();
    int Present = 0;
    for (int &Each : Where)
      Each = Each < 0 ? -1 : Present++;
    place(Present);
  }

  bool has(int I, int J) const { return Where[size_t(I) * Blocks + J] >= 0; }

  void check(Run &Run, const std::vector<float> &Result) const {
    auto Factor = [&](int Y, int X) {
      int Block = Where[size_t(Y / Side) * Blocks + X / Side];
      if (Block < 0)
        return 0.0;
      int Inside = Y % Side * Side + X % Side;
      return double(Result[size_t(Block) * Side * Side + Inside]);
    };
    expectProduct(
        Run, N, Dense,
        [&](int I, int K) { return I == K ? 1.0 : Factor(I, K); }, Factor,
        [](int, int) { return true; });
  }

  long long tasks() const {
    long long Count = 0;
    for (int K = 0; K < Blocks; ++K) {
      long long Right = 0, Below = 0;
      for (int I = K + 1; I < Blocks; ++I) {
        Right += has(K, I);
        Below += has(I, K);
      }
      Count += 1 + Right + Below + Right * Below;
    }
    return Count;
  }

  int Blocks, N;
  std::vector<int> Where; // The number of each block, or -1.
  std::vector<float> Dense, Start;

private:
  void leaveOut(int I, int J) {
    for (int Y = 0; Y < Side; ++Y)
      for (int X = 0; X < Side; ++X)
        Dense[size_t(I * Side + Y) * N + J * Side + X] = 0;
  }

  void fillIn() {
    for (int K = 0; K < Blocks; ++K)
      for (int I = K + 1; I < Blocks; ++I)
        for (int J = K + 1; J < Blocks; ++J)
          if (has(I, K) && has(K, J))
            Where[size_t(I) * Blocks + J] = 0;
  }

  void place(int Present) {
    Start.resize(size_t(Present) * Side * Side);
    for (int Y = 0; Y < N; ++Y)
      for (int X = 0; X < N; ++X) {
        int Block = Where[size_t(Y / Side) * Blocks + X / Side];
        if (Block >= 0)
          Start[size_t(Block) * Side * Side + Y % Side * Side + X % Side] =
              Dense[size_t(Y) * N + X];
      }
  }
};

} // namespace tasks

#endif
