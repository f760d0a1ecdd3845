// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of Cholesky's decomposition: three launches a step.

#include "../problems/Cholesky.h"
#include "Waves.h"

using namespace tasks;

struct Work {
  static constexpr int Kinds = 3; // the diagonal, below it, what remains
  enum : int { Threads = Cholesky::Threads, Side = Cholesky::Side };
  int Tiles, N;
  float *A;

  __host__ __device__ int waves() const { return 3 * Tiles - 2; }
  __host__ __device__ int kind(int Wave) const { return Wave % 3; }
  __host__ __device__ int blocks(int Wave) const {
    int Rest = Tiles - Wave / 3 - 1;
    return Wave % 3 == 0 ? 1 : Wave % 3 == 1 ? Rest : Rest * (Rest + 1) / 2;
  }
  __device__ float *at(int I, int J) const {
    return A + I * Side * N + J * Side;
  }

  __device__ void factorDiagonal(float *Own) const {
    int Thread = int(threadIdx.x);
    for (int K = 0; K < Side; ++K) {
      if (Thread == 0)
        Own[K * N + K] = sqrtf(Own[K * N + K]);
      __syncthreads();
      for (int Y = K + 1 + Thread; Y < Side; Y += Threads)
        Own[Y * N + K] /= Own[K * N + K];
      __syncthreads();
      for (int Cell = Thread; Cell < Side * Side; Cell += Threads) {
        int Y = Cell / Side, X = Cell % Side;
        if (X > K && X <= Y)
          Own[Y * N + X] -= Own[Y * N + K] * Own[X * N + K];
      }
      __syncthreads();
    }
  }

  __device__ void solveBelow(const float *Diagonal, float *Own) const {
    for (int Y = int(threadIdx.x); Y < Side; Y += Threads)
      for (int K = 0; K < Side; ++K) {
        float Factor = Own[Y * N + K] /= Diagonal[K * N + K];
        for (int X = K + 1; X < Side; ++X)
          Own[Y * N + X] -= Factor * Diagonal[X * N + K];
      }
  }

  __device__ void update(const float *Left, const float *Up, bool Lower,
                         float *Own) const {
    for (int Cell = int(threadIdx.x); Cell < Side * Side; Cell += Threads) {
      int Y = Cell / Side, X = Cell % Side;
      if (Lower && X > Y)
        continue;
      float Sum = 0;
      for (int K = 0; K < Side; ++K)
        Sum += Left[Y * N + K] * Up[X * N + K];
      Own[Y * N + X] -= Sum;
    }
  }

  template <int Kind> __device__ void tile(int Wave, int Block) const {
    int K = Wave / 3;
    if constexpr (Kind == 0)
      factorDiagonal(at(K, K));
    else if constexpr (Kind == 1)
      solveBelow(at(K, K), at(K + 1 + Block, K));
    else {
      int Row = 0;
      while ((Row + 1) * (Row + 2) / 2 <= Block)
        ++Row;
      int I = K + 1 + Row, J = K + 1 + Block - Row * (Row + 1) / 2;
      update(at(I, K), at(J, K), I == J, at(I, J));
    }
  }
};

int main(int Argc, char **Argv) {
  Run Run("cholesky", {{"tiles", 20, "tiles on a side", 1, 512}},
          waysOfWaves());
  Run.parse(Argc, Argv);
  Cholesky Problem(Run["tiles"]);
  bench::Array<float> A(Problem.Start.size());
  Work Work{Problem.Tiles, Problem.N, A};
  std::vector<float> Result = measure(Run, Work, Problem.Start, A);
  if (Run.checks())
    Problem.check(Run, Result);
  return Run.report(Result);
}
