// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SM-W: Smith-Waterman. A task computes a tile of scores along its
// anti-diagonals, in an array of its own with a rim above and to the left.

#include "problems/SmW.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = SmW::Side;

static int known(int Tiles, int Y, int X, const int *Score) {
  return Y >= 0 && X >= 0 ? Score[at<Side>(Tiles, Y, X)] : 0;
}

static int largest(int A, int B) { return A > B ? A : B; }

static void computeTile(int Tiles, int I, int J, const char *A, const char *B,
                        int *Score) {
  int Cell[Side + 1][Side + 1];
  int Y0 = I * Side, X0 = J * Side;
#pragma omp parallel
  {
#pragma omp for
    for (int Own = 0; Own < Side + 1; ++Own) {
      Cell[0][Own] = known(Tiles, Y0 - 1, X0 + Own - 1, Score);
      Cell[Own][0] = known(Tiles, Y0 + Own - 1, X0 - 1, Score);
    }
    for (int Step = 0; Step < 2 * Side - 1; ++Step) {
#pragma omp for
      for (int Y = 0; Y < Side; ++Y) {
        int X = Step - Y;
        if (X < 0 || X >= Side)
          continue;
        int Own = A[Y0 + Y] == B[X0 + X] ? SmW::Match : SmW::Mismatch;
        int Best = largest(0, Cell[Y][X] + Own);
        int Skip = largest(Cell[Y][X + 1], Cell[Y + 1][X]) + SmW::Gap;
        Cell[Y + 1][X + 1] = largest(Best, Skip);
      }
    }
#pragma omp for
    for (int Own = 0; Own < Side * Side; ++Own)
      Score[at<Side>(Tiles, Y0, X0) + size_t(Own)] =
          Cell[Own / Side + 1][Own % Side + 1];
  }
}
#pragma omp end declare target

static void align(int Tiles, int N, const char *A, const char *B, int *Score) {
  size_t Cells = size_t(N) * size_t(N);
  constexpr int Tile = Side * Side;
#pragma omp target parallel num_threads(SmW::Threads)                          \
    map(to : A[0 : N], B[0 : N]) map(tofrom : Score[0 : Cells])
#pragma omp single
  for (int I = 0; I < Tiles; ++I)
    for (int J = 0; J < Tiles; ++J) {
      int Own = (I * Tiles + J) * Tile;
      int Left = J > 0 ? Own - Tile : Own;
      int Up = I > 0 ? Own - Tiles * Tile : Own;
      int Corner = I > 0 && J > 0 ? Up - Tile : Own;
#pragma omp task firstprivate(I, J)                                            \
    depend(in : Score[Left : Tile], Score[Up : Tile], Score[Corner : Tile])    \
    depend(out : Score[Own : Tile])
      computeTile(Tiles, I, J, A, B, Score);
    }
}

int main(int Argc, char **Argv) {
  Run Run("smw", {{"tiles", 72, "tiles on a side", 1, 1024}});
  Run.parse(Argc, Argv);
  SmW Problem(Run["tiles"]);
  int N = Problem.N, Tiles = Problem.Tiles;
  size_t Cells = size_t(N) * size_t(N);
  std::vector<int> Result(Cells);
  const char *A = Problem.A.data(), *B = Problem.B.data();
  int *Score = Result.data();
  Run.has((long long)Tiles * Tiles, SmW::Threads);

  Run.begin();
#pragma omp target data map(to : A[0 : N], B[0 : N])                           \
    map(tofrom : Score[0 : Cells])
  while (Run.again()) {
    std::fill(Result.begin(), Result.end(), -1);
#pragma omp target update to(Score[0 : Cells])
    Run.start();
    align(Tiles, N, A, B, Score);
    Run.stop();
    if (Run.keeps()) {
#pragma omp target update from(Score[0 : Cells])
      Run.keep(Result);
    }
  }
  Run.end();
  if (Run.checks())
    Run.compare("score", Result, Problem.reference());
  return Run.report(Result);
}
