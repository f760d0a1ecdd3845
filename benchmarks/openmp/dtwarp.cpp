// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// DT-WARP: dynamic time warping of two series. A task computes a tile of the
// matrix of costs, along the tile's anti-diagonals.

#include "problems/DtWarp.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = DtWarp::Side, Never = DtWarp::Never;

/// A cell, from those above, to the left and at the corner.
static void computeCell(int Tiles, int Y, int X, const int *A, const int *B,
                        int *Cost) {
  int Up = Y > 0 ? Cost[at<Side>(Tiles, Y - 1, X)] : Never;
  int Left = X > 0 ? Cost[at<Side>(Tiles, Y, X - 1)] : Never;
  int Corner = Y > 0 && X > 0 ? Cost[at<Side>(Tiles, Y - 1, X - 1)] : Never;
  int Best = Up < Left ? Up : Left;
  Best = Corner < Best ? Corner : Best;
  int Distance = A[Y] > B[X] ? A[Y] - B[X] : B[X] - A[Y];
  Cost[at<Side>(Tiles, Y, X)] = Distance + (Y == 0 && X == 0 ? 0 : Best);
}

static void computeTile(int Tiles, int I, int J, const int *A, const int *B,
                        int *Cost) {
#pragma omp parallel
  for (int Step = 0; Step < 2 * Side - 1; ++Step) {
#pragma omp for
    for (int Row = 0; Row < Side; ++Row) {
      int Column = Step - Row;
      if (Column >= 0 && Column < Side)
        computeCell(Tiles, I * Side + Row, J * Side + Column, A, B, Cost);
    }
  }
}
#pragma omp end declare target

static void warp(int Tiles, int N, const int *A, const int *B, int *Cost) {
  size_t Cells = size_t(N) * size_t(N);
  constexpr int Tile = Side * Side;
#pragma omp target parallel num_threads(DtWarp::Threads)                       \
    map(to : A[0 : N], B[0 : N]) map(tofrom : Cost[0 : Cells])
#pragma omp single
  for (int I = 0; I < Tiles; ++I)
    for (int J = 0; J < Tiles; ++J) {
      int Own = (I * Tiles + J) * Tile;
      int Left = J > 0 ? Own - Tile : Own;
      int Up = I > 0 ? Own - Tiles * Tile : Own;
      int Corner = I > 0 && J > 0 ? Up - Tile : Own;
#pragma omp task firstprivate(I, J) depend(in : Cost[Left : Tile])             \
    depend(in : Cost[Up : Tile]) depend(in : Cost[Corner : Tile])              \
    depend(out : Cost[Own : Tile])
      computeTile(Tiles, I, J, A, B, Cost);
    }
}

int main(int Argc, char **Argv) {
  Run Run("dtwarp", {{"tiles", 72, "tiles on a side", 1, 1024}});
  Run.parse(Argc, Argv);
  DtWarp Problem(Run["tiles"]);
  int N = Problem.N, Tiles = Problem.Tiles;
  size_t Cells = size_t(N) * size_t(N);
  std::vector<int> Result(Cells);
  const int *A = Problem.A.data(), *B = Problem.B.data();
  int *Cost = Result.data();
  Run.has((long long)Tiles * Tiles, DtWarp::Threads);

  Run.begin();
#pragma omp target data map(to : A[0 : N], B[0 : N])                           \
    map(tofrom : Cost[0 : Cells])
  while (Run.again()) {
    std::fill(Result.begin(), Result.end(), -1);
#pragma omp target update to(Cost[0 : Cells])
    Run.start();
    warp(Tiles, N, A, B, Cost);
    Run.stop();
    if (Run.keeps()) {
#pragma omp target update from(Cost[0 : Cells])
      Run.keep(Result);
    }
  }
  Run.end();
  if (Run.checks())
    Run.compare("cost", Result, Problem.reference());
  return Run.report(Result);
}
