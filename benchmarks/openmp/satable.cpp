// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SA-TABLE: the summed area table of an image. A task sums a tile's rows and
// then its columns, in an array of its own.

#include "problems/SaTable.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = SaTable::Side;

static unsigned known(int Tiles, int Y, int X, const unsigned *Table) {
  return Y >= 0 && X >= 0 ? Table[at<Side>(Tiles, Y, X)] : 0;
}

static void computeTile(int Tiles, int I, int J, const unsigned char *Image,
                        unsigned *Table) {
  unsigned Sum[Side][Side + 1];
  int Y0 = I * Side, X0 = J * Side;
#pragma omp parallel
  {
#pragma omp for
    for (int Cell = 0; Cell < Side * Side; ++Cell)
      Sum[Cell / Side][Cell % Side] =
          Image[at<Side>(Tiles, Y0, X0) + size_t(Cell)];
#pragma omp for
    for (int Y = 0; Y < Side; ++Y) {
      unsigned Row = known(Tiles, Y0 + Y, X0 - 1, Table) -
                     known(Tiles, Y0 + Y - 1, X0 - 1, Table);
      for (int X = 0; X < Side; ++X)
        Sum[Y][X] = Row += Sum[Y][X];
    }
#pragma omp for
    for (int X = 0; X < Side; ++X) {
      unsigned Column = known(Tiles, Y0 - 1, X0 + X, Table);
      for (int Y = 0; Y < Side; ++Y)
        Table[at<Side>(Tiles, Y0 + Y, X0 + X)] = Column += Sum[Y][X];
    }
  }
}
#pragma omp end declare target

static void sum(int Tiles, size_t Cells, const unsigned char *Image,
                unsigned *Table) {
  constexpr int Tile = Side * Side;
#pragma omp target parallel num_threads(SaTable::Threads)                      \
    map(to : Image[0 : Cells]) map(tofrom : Table[0 : Cells])
#pragma omp single
  for (int I = 0; I < Tiles; ++I)
    for (int J = 0; J < Tiles; ++J) {
      int Own = (I * Tiles + J) * Tile;
      int Left = J > 0 ? Own - Tile : Own;
      int Up = I > 0 ? Own - Tiles * Tile : Own;
      int Corner = I > 0 && J > 0 ? Up - Tile : Own;
#pragma omp task firstprivate(I, J)                                            \
    depend(in : Table[Left : Tile], Table[Up : Tile], Table[Corner : Tile])    \
    depend(out : Table[Own : Tile])
      computeTile(Tiles, I, J, Image, Table);
    }
}

int main(int Argc, char **Argv) {
  Run Run("satable", {{"tiles", 90, "tiles on a side", 1, 1024}});
  Run.parse(Argc, Argv);
  SaTable Problem(Run["tiles"]);
  int Tiles = Problem.Tiles;
  size_t Cells = Problem.Image.size();
  std::vector<unsigned> Result(Cells);
  const unsigned char *Image = Problem.Image.data();
  unsigned *Table = Result.data();
  Run.has((long long)Tiles * Tiles, SaTable::Threads);

  Run.begin();
#pragma omp target data map(to : Image[0 : Cells])                             \
    map(tofrom : Table[0 : Cells])
  while (Run.again()) {
    std::fill(Result.begin(), Result.end(), ~0u);
#pragma omp target update to(Table[0 : Cells])
    Run.start();
    sum(Tiles, Cells, Image, Table);
    Run.stop();
    if (Run.keeps()) {
#pragma omp target update from(Table[0 : Cells])
      Run.keep(Result);
    }
  }
  Run.end();
  if (Run.checks())
    Run.compare("sum", Result, Problem.reference());
  return Run.report(Result);
}
