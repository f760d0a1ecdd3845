// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What tasks take that do next to nothing.

#include "problems/Hops.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Tile = Hops::Side * Hops::Side;

static void hop(const int *Left, const int *Up, int *Own) {
#pragma omp parallel for
  for (int Cell = 0; Cell < Tile; ++Cell) {
    int A = Left != Own ? Left[Cell] : 0, B = Up != Own ? Up[Cell] : 0;
    Own[Cell] = 1 + (A > B ? A : B);
  }
}
#pragma omp end declare target

static void hopAll(int Tiles, bool Free, size_t Cells, int *Count) {
#pragma omp target parallel num_threads(Hops::Threads)                         \
    map(tofrom : Count[0 : Cells])
#pragma omp single
  for (int I = 0; I < Tiles; ++I)
    for (int J = 0; J < Tiles; ++J) {
      int Own = (I * Tiles + J) * Tile;
      int Left = J > 0 && !Free ? Own - Tile : Own;
      int Up = I > 0 && !Free ? Own - Tiles * Tile : Own;
#pragma omp task firstprivate(Own, Left, Up)                                   \
    depend(in : Count[Left : Tile], Count[Up : Tile])                          \
    depend(out : Count[Own : Tile])
      hop(Count + Left, Count + Up, Count + Own);
    }
}

int main(int Argc, char **Argv) {
  Run Run("hops", {{"tiles", 90, "tiles on a side", 1, 1024},
                   {"free", 0, "1: no task waits for another", 0, 1}});
  Run.parse(Argc, Argv);
  Hops Problem(Run["tiles"], Run["free"]);
  int Tiles = Problem.Tiles;
  std::vector<int> Result = Problem.Start;
  size_t Cells = Result.size();
  int *Count = Result.data();
  Run.has((long long)Tiles * Tiles, Hops::Threads);

  Run.begin();
#pragma omp target data map(tofrom : Count[0 : Cells])
  while (Run.again()) {
    std::fill(Result.begin(), Result.end(), -1);
#pragma omp target update to(Count[0 : Cells])
    Run.start();
    hopAll(Tiles, Problem.Free, Cells, Count);
    Run.stop();
    if (Run.keeps()) {
#pragma omp target update from(Count[0 : Cells])
      Run.keep(Result);
    }
  }
  Run.end();
  if (Run.checks())
    Run.compare("hops", Result, Problem.reference());
  return Run.report(Result);
}
