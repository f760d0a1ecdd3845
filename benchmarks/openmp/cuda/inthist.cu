// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of INT-HIST: tiles by anti-diagonals.

#include "../problems/IntHist.h"
#include "Waves.h"

using namespace tasks;

struct Work : DiagonalWaves {
  enum : int {
    Threads = IntHist::Threads,
    Side = IntHist::Side,
    Classes = IntHist::Classes
  };
  const unsigned char *Image;
  int *Count;

  __device__ int known(int Class, int Y, int X) const {
    return Y >= 0 && X >= 0 ? Count[IntHist::place(Tiles, Class, Y, X)] : 0;
  }

  __device__ void sumRow(int Class, int Y, int X0) const {
    int Sum = known(Class, Y, X0 - 1) - known(Class, Y - 1, X0 - 1);
    for (int X = X0; X < X0 + Side; ++X) {
      Sum += Image[at<Side>(Tiles, Y, X)] == Class;
      Count[IntHist::place(Tiles, Class, Y, X)] = Sum;
    }
  }

  __device__ void sumColumn(int Class, int Y0, int X) const {
    int Sum = known(Class, Y0 - 1, X);
    for (int Y = Y0; Y < Y0 + Side; ++Y) {
      Sum += Count[IntHist::place(Tiles, Class, Y, X)];
      Count[IntHist::place(Tiles, Class, Y, X)] = Sum;
    }
  }

  template <int> __device__ void tile(int Wave, int Block) const {
    int I = row(Wave, Block), J = Wave - I;
    for (int Each = int(threadIdx.x); Each < Classes * Side; Each += Threads)
      sumRow(Each / Side, I * Side + Each % Side, J * Side);
    __syncthreads();
    for (int Each = int(threadIdx.x); Each < Classes * Side; Each += Threads)
      sumColumn(Each / Side, I * Side, J * Side + Each % Side);
  }
};

int main(int Argc, char **Argv) {
  Run Run("inthist", {{"tiles", 90, "tiles on a side", 1, 512}}, waysOfWaves());
  Run.parse(Argc, Argv);
  IntHist Problem(Run["tiles"]);
  std::vector<int> Start(Problem.Image.size() * IntHist::Classes, -1);
  bench::Array<unsigned char> Image(Problem.Image);
  bench::Array<int> Count(Start.size());
  Work Work{{Problem.Tiles}, Image, Count};
  std::vector<int> Result = measure(Run, Work, Start, Count);
  if (Run.checks())
    Run.compare("count", Result, Problem.reference());
  return Run.report(Result);
}
