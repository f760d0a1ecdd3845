// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LU-D: LU decomposition by tiles, in the four tasks of the paper's Listing 1.

#include "problems/LuD.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = LuD::Side;

/// L and U of a diagonal tile; L's diagonal is 1 and not kept.
static void lu0(float *Diagonal) {
#pragma omp parallel
  for (int K = 0; K < Side - 1; ++K) {
#pragma omp for
    for (int Y = K + 1; Y < Side; ++Y)
      Diagonal[Y * Side + K] /= Diagonal[K * Side + K];
#pragma omp for
    for (int Cell = 0; Cell < Side * Side; ++Cell) {
      int Y = Cell / Side, X = Cell % Side;
      if (Y > K && X > K)
        Diagonal[Cell] -= Diagonal[Y * Side + K] * Diagonal[K * Side + X];
    }
  }
}

/// Takes L of the diagonal tile off the left of a tile; a thread has a column.
static void fwd(const float *Diagonal, float *Right) {
#pragma omp parallel for
  for (int X = 0; X < Side; ++X)
    for (int K = 0; K < Side - 1; ++K)
      for (int Y = K + 1; Y < Side; ++Y)
        Right[Y * Side + X] -= Diagonal[Y * Side + K] * Right[K * Side + X];
}

/// Takes U of the diagonal tile off the right of a tile; a thread has a row.
static void bdiv(const float *Diagonal, float *Below) {
#pragma omp parallel for
  for (int Y = 0; Y < Side; ++Y)
    for (int K = 0; K < Side; ++K) {
      float Factor = Below[Y * Side + K] /= Diagonal[K * Side + K];
      for (int X = K + 1; X < Side; ++X)
        Below[Y * Side + X] -= Factor * Diagonal[K * Side + X];
    }
}

/// Takes a product off a tile.
static void bmod(const float *Below, const float *Right, float *Own) {
#pragma omp parallel for
  for (int Cell = 0; Cell < Side * Side; ++Cell) {
    float Sum = 0;
    for (int K = 0; K < Side; ++K)
      Sum += Below[Cell / Side * Side + K] * Right[K * Side + Cell % Side];
    Own[Cell] -= Sum;
  }
}
#pragma omp end declare target

static void factor(int Tiles, size_t Cells, float *A) {
  constexpr int Tile = Side * Side;
#pragma omp target parallel num_threads(LuD::Threads) map(tofrom : A[0 : Cells])
#pragma omp single
  for (int K = 0; K < Tiles; ++K) {
    int Diagonal = (K * Tiles + K) * Tile;
#pragma omp task firstprivate(Diagonal) depend(inout : A[Diagonal : Tile])
    lu0(A + Diagonal);
    for (int J = K + 1; J < Tiles; ++J) {
      int Right = (K * Tiles + J) * Tile;
#pragma omp task firstprivate(Diagonal, Right) depend(in : A[Diagonal : Tile]) \
    depend(inout : A[Right : Tile])
      fwd(A + Diagonal, A + Right);
    }
    for (int I = K + 1; I < Tiles; ++I) {
      int Below = (I * Tiles + K) * Tile;
#pragma omp task firstprivate(Diagonal, Below) depend(in : A[Diagonal : Tile]) \
    depend(inout : A[Below : Tile])
      bdiv(A + Diagonal, A + Below);
    }
    for (int I = K + 1; I < Tiles; ++I)
      for (int J = K + 1; J < Tiles; ++J) {
        int Below = (I * Tiles + K) * Tile, Right = (K * Tiles + J) * Tile;
        int Own = (I * Tiles + J) * Tile;
#pragma omp task firstprivate(Below, Right, Own)                               \
    depend(in : A[Below : Tile], A[Right : Tile])                              \
    depend(inout : A[Own : Tile])
        bmod(A + Below, A + Right, A + Own);
      }
  }
}

int main(int Argc, char **Argv) {
  Run Run("lud", {{"tiles", 15, "tiles on a side", 1, 512}});
  Run.parse(Argc, Argv);
  LuD Problem(Run["tiles"]);
  std::vector<float> Result = Problem.Start;
  size_t Cells = Result.size();
  float *A = Result.data();
  Run.has(Problem.tasks(), LuD::Threads);

  Run.begin();
#pragma omp target data map(tofrom : A[0 : Cells])
  while (Run.again()) {
    std::copy(Problem.Start.begin(), Problem.Start.end(), A);
#pragma omp target update to(A[0 : Cells])
    Run.start();
    factor(Problem.Tiles, Cells, A);
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
