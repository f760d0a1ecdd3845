// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of DT-WARP: tiles by anti-diagonals.

#include "../problems/DtWarp.h"
#include "Waves.h"

using namespace tasks;

struct Work : DiagonalWaves {
  enum : int { Threads = DtWarp::Threads, Side = DtWarp::Side };
  const int *A, *B;
  int *Cost;

  __device__ void cell(int Y, int X) const {
    int Up = Y > 0 ? Cost[at<Side>(Tiles, Y - 1, X)] : int(DtWarp::Never);
    int Left = X > 0 ? Cost[at<Side>(Tiles, Y, X - 1)] : int(DtWarp::Never);
    int Corner = Y > 0 && X > 0 ? Cost[at<Side>(Tiles, Y - 1, X - 1)]
                                : int(DtWarp::Never);
    int Best = min(Corner, min(Up, Left));
    Cost[at<Side>(Tiles, Y, X)] =
        abs(A[Y] - B[X]) + (Y == 0 && X == 0 ? 0 : Best);
  }

  template <int> __device__ void tile(int Wave, int Block) const {
    int I = row(Wave, Block), J = Wave - I, Row = int(threadIdx.x);
    for (int Step = 0; Step < 2 * Side - 1; ++Step) {
      int Column = Step - Row;
      if (Column >= 0 && Column < Side)
        cell(I * Side + Row, J * Side + Column);
      __syncthreads();
    }
  }
};

int main(int Argc, char **Argv) {
  Run Run("dtwarp", {{"tiles", 72, "tiles on a side", 1, 1024}}, waysOfWaves());
  Run.parse(Argc, Argv);
  DtWarp Problem(Run["tiles"]);
  std::vector<int> Start(size_t(Problem.N) * Problem.N, -1);
  bench::Array<int> A(Problem.A), B(Problem.B), Cost(Start.size());
  Work Work{{Problem.Tiles}, A, B, Cost};
  std::vector<int> Result = measure(Run, Work, Start, Cost);
  if (Run.checks())
    Run.compare("cost", Result, Problem.reference());
  return Run.report(Result);
}
