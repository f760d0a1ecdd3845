// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Cholesky's decomposition of a matrix that stands row by row: a tile is a
// section of each of its rows, which iterators name.

#include "problems/Cholesky.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = Cholesky::Side;

static void factorDiagonal(int N, float *Own) {
#pragma omp parallel
  for (int K = 0; K < Side; ++K) {
#pragma omp single
    Own[K * N + K] = __builtin_sqrtf(Own[K * N + K]);
#pragma omp for
    for (int Y = K + 1; Y < Side; ++Y)
      Own[Y * N + K] /= Own[K * N + K];
#pragma omp for
    for (int Cell = 0; Cell < Side * Side; ++Cell) {
      int Y = Cell / Side, X = Cell % Side;
      if (X > K && X <= Y)
        Own[Y * N + X] -= Own[Y * N + K] * Own[X * N + K];
    }
  }
}

/// Takes the diagonal tile's factor off the right of a tile; a thread has a
/// row.
static void solveBelow(int N, const float *Diagonal, float *Own) {
#pragma omp parallel for
  for (int Y = 0; Y < Side; ++Y)
    for (int K = 0; K < Side; ++K) {
      float Factor = Own[Y * N + K] /= Diagonal[K * N + K];
      for (int X = K + 1; X < Side; ++X)
        Own[Y * N + X] -= Factor * Diagonal[X * N + K];
    }
}

/// Takes a product off a tile, or off its lower triangle.
static void update(int N, const float *Left, const float *Up, bool Lower,
                   float *Own) {
#pragma omp parallel for
  for (int Cell = 0; Cell < Side * Side; ++Cell) {
    int Y = Cell / Side, X = Cell % Side;
    if (Lower && X > Y)
      continue;
    float Sum = 0;
    for (int K = 0; K < Side; ++K)
      Sum += Left[Y * N + K] * Up[X * N + K];
    Own[Y * N + X] -= Sum;
  }
}
#pragma omp end declare target

static void factor(int Tiles, int N, size_t Cells, float *A) {
#pragma omp target parallel num_threads(Cholesky::Threads)                     \
    map(tofrom : A[0 : Cells])
#pragma omp single
  for (int K = 0; K < Tiles; ++K) {
    float *Diagonal = A + K * Side * N + K * Side;
#pragma omp task firstprivate(Diagonal)                                        \
    depend(iterator(int R = 0 : Side), inout : Diagonal[R * N : Side])
    factorDiagonal(N, Diagonal);
    for (int I = K + 1; I < Tiles; ++I) {
      float *Own = A + I * Side * N + K * Side;
#pragma omp task firstprivate(Diagonal, Own)                                   \
    depend(iterator(int R = 0 : Side), in : Diagonal[R * N : Side])            \
    depend(iterator(int R = 0 : Side), inout : Own[R * N : Side])
      solveBelow(N, Diagonal, Own);
    }
    for (int I = K + 1; I < Tiles; ++I)
      for (int J = K + 1; J <= I; ++J) {
        float *Left = A + I * Side * N + K * Side;
        float *Up = A + J * Side * N + K * Side;
        float *Own = A + I * Side * N + J * Side;
        bool Lower = I == J;
#pragma omp task firstprivate(Left, Up, Own, Lower)                            \
    depend(iterator(int R = 0 : Side), in : Left[R * N : Side])                \
    depend(iterator(int R = 0 : Side), in : Up[R * N : Side])                  \
    depend(iterator(int R = 0 : Side), inout : Own[R * N : Side])
        update(N, Left, Up, Lower, Own);
      }
  }
}

int main(int Argc, char **Argv) {
  Run Run("cholesky", {{"tiles", 20, "tiles on a side", 1, 512}});
  Run.parse(Argc, Argv);
  Cholesky Problem(Run["tiles"]);
  std::vector<float> Result = Problem.Start;
  size_t Cells = Result.size();
  float *A = Result.data();
  Run.has(Problem.tasks(), Cholesky::Threads);

  Run.begin();
#pragma omp target data map(tofrom : A[0 : Cells])
  while (Run.again()) {
    std::copy(Problem.Start.begin(), Problem.Start.end(), A);
#pragma omp target update to(A[0 : Cells])
    Run.start();
    factor(Problem.Tiles, Problem.N, Cells, A);
    Run.stop();
    if (Run.keeps()) {
#pragma omp target update from(A[0 : Cells])
      Run.keep(Result);
    }
  }
  Run.end();
  if (Run.checks())
    Problem.check(Run, Result);
  return Run.report(Result);
}
