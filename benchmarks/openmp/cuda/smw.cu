// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of SM-W: tiles by anti-diagonals.

#include "../problems/SmW.h"
#include "Waves.h"

using namespace tasks;

struct Work : DiagonalWaves {
  enum : int { Threads = SmW::Threads, Side = SmW::Side };
  const char *A, *B;
  int *Score;

  __device__ int known(int Y, int X) const {
    return Y >= 0 && X >= 0 ? Score[at<Side>(Tiles, Y, X)] : 0;
  }

  template <int> __device__ void tile(int Wave, int Block) const {
    __shared__ int Cell[Side + 1][Side + 1];
    int I = row(Wave, Block), Y = int(threadIdx.x);
    int Y0 = I * Side, X0 = (Wave - I) * Side;
    for (int Own = Y; Own < Side + 1; Own += Threads) {
      Cell[0][Own] = known(Y0 - 1, X0 + Own - 1);
      Cell[Own][0] = known(Y0 + Own - 1, X0 - 1);
    }
    __syncthreads();
    for (int Step = 0; Step < 2 * Side - 1; ++Step) {
      int X = Step - Y;
      if (X >= 0 && X < Side) {
        int Own = A[Y0 + Y] == B[X0 + X] ? SmW::Match : SmW::Mismatch;
        int Best = max(0, Cell[Y][X] + Own);
        int Skip = max(Cell[Y][X + 1], Cell[Y + 1][X]) + SmW::Gap;
        Cell[Y + 1][X + 1] = max(Best, Skip);
      }
      __syncthreads();
    }
    for (int Own = Y; Own < Side * Side; Own += Threads)
      Score[at<Side>(Tiles, Y0, X0) + size_t(Own)] =
          Cell[Own / Side + 1][Own % Side + 1];
  }
};

int main(int Argc, char **Argv) {
  Run Run("smw", {{"tiles", 72, "tiles on a side", 1, 1024}}, waysOfWaves());
  Run.parse(Argc, Argv);
  SmW Problem(Run["tiles"]);
  std::vector<int> Start(size_t(Problem.N) * Problem.N, -1);
  bench::Array<char> A(Problem.A), B(Problem.B);
  bench::Array<int> Score(Start.size());
  Work Work{{Problem.Tiles}, A, B, Score};
  std::vector<int> Result = measure(Run, Work, Start, Score);
  if (Run.checks())
    Run.compare("score", Result, Problem.reference());
  return Run.report(Result);
}
