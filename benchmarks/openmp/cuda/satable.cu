// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of SA-TABLE: tiles by anti-diagonals.

#include "../problems/SaTable.h"
#include "Waves.h"

using namespace tasks;

struct Work : DiagonalWaves {
  enum : int { Threads = SaTable::Threads, Side = SaTable::Side };
  const unsigned char *Image;
  unsigned *Table;

  __device__ unsigned known(int Y, int X) const {
    return Y >= 0 && X >= 0 ? Table[at<Side>(Tiles, Y, X)] : 0;
  }

  template <int> __device__ void tile(int Wave, int Block) const {
    __shared__ unsigned Sum[Side][Side + 1];
    int I = row(Wave, Block), Own = int(threadIdx.x);
    int Y0 = I * Side, X0 = (Wave - I) * Side;
    for (int Cell = Own; Cell < Side * Side; Cell += Threads)
      Sum[Cell / Side][Cell % Side] =
          Image[at<Side>(Tiles, Y0, X0) + size_t(Cell)];
    __syncthreads();
    if (Own < Side) {
      unsigned Row = known(Y0 + Own, X0 - 1) - known(Y0 + Own - 1, X0 - 1);
      for (int X = 0; X < Side; ++X)
        Sum[Own][X] = Row += Sum[Own][X];
    }
    __syncthreads();
    if (Own < Side) {
      unsigned Column = known(Y0 - 1, X0 + Own);
      for (int Y = 0; Y < Side; ++Y)
        Table[at<Side>(Tiles, Y0 + Y, X0 + Own)] = Column += Sum[Y][Own];
    }
  }
};

int main(int Argc, char **Argv) {
  Run Run("satable", {{"tiles", 90, "tiles on a side", 1, 1024}},
          waysOfWaves());
  Run.parse(Argc, Argv);
  SaTable Problem(Run["tiles"]);
  std::vector<unsigned> Start(Problem.Image.size(), ~0u);
  bench::Array<unsigned char> Image(Problem.Image);
  bench::Array<unsigned> Table(Start.size());
  Work Work{{Problem.Tiles}, Image, Table};
  std::vector<unsigned> Result = measure(Run, Work, Start, Table);
  if (Run.checks())
    Run.compare("sum", Result, Problem.reference());
  return Run.report(Result);
}
