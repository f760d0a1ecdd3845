// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// INT-HIST: the integral histogram of an image. A task sums the rows of a tile
// and then its columns, for every class of brightness.

#include "problems/IntHist.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = IntHist::Side, Classes = IntHist::Classes;

/// The count of a class at a pixel, 0 outside of the image.
static int known(int Tiles, int Class, int Y, int X, const int *Count) {
  return Y >= 0 && X >= 0 ? Count[IntHist::place(Tiles, Class, Y, X)] : 0;
}

/// Of a row of a tile the sums from the left edge of the image.
static void sumRow(int Tiles, int Class, int Y, int X0,
                   const unsigned char *Image, int *Count) {
  int Sum = known(Tiles, Class, Y, X0 - 1, Count) -
            known(Tiles, Class, Y - 1, X0 - 1, Count);
  for (int X = X0; X < X0 + Side; ++X) {
    Sum += Image[at<Side>(Tiles, Y, X)] == Class;
    Count[IntHist::place(Tiles, Class, Y, X)] = Sum;
  }
}

/// Adds to each element of a column what is above it.
static void sumColumn(int Tiles, int Class, int Y0, int X, int *Count) {
  int Sum = known(Tiles, Class, Y0 - 1, X, Count);
  for (int Y = Y0; Y < Y0 + Side; ++Y) {
    Sum += Count[IntHist::place(Tiles, Class, Y, X)];
    Count[IntHist::place(Tiles, Class, Y, X)] = Sum;
  }
}

static void computeTile(int Tiles, int I, int J, const unsigned char *Image,
                        int *Count) {
#pragma omp parallel
  {
#pragma omp for collapse(2)
    for (int Class = 0; Class < Classes; ++Class)
      for (int Row = 0; Row < Side; ++Row)
        sumRow(Tiles, Class, I * Side + Row, J * Side, Image, Count);
#pragma omp for collapse(2)
    for (int Class = 0; Class < Classes; ++Class)
      for (int Column = 0; Column < Side; ++Column)
        sumColumn(Tiles, Class, I * Side, J * Side + Column, Count);
  }
}
#pragma omp end declare target

static void integrate(int Tiles, size_t Pixels, const unsigned char *Image,
                      int *Count) {
  constexpr size_t Tile = Side * Side * Classes;
#pragma omp target parallel num_threads(IntHist::Threads)                      \
    map(to : Image[0 : Pixels]) map(tofrom : Count[0 : Pixels * Classes])
#pragma omp master
  {
    for (int I = 0; I < Tiles; ++I)
      for (int J = 0; J < Tiles; ++J) {
        size_t Own = size_t(I * Tiles + J) * Tile;
        size_t Left = J > 0 ? Own - Tile : Own;
        size_t Up = I > 0 ? Own - size_t(Tiles) * Tile : Own;
        size_t Corner = I > 0 && J > 0 ? Up - Tile : Own;
#pragma omp task depend(in : Count[Left : Tile], Count[Up : Tile])             \
    depend(in : Count[Corner : Tile]) depend(out : Count[Own : Tile])
        computeTile(Tiles, I, J, Image, Count);
      }
#pragma omp taskwait
  }
}

int main(int Argc, char **Argv) {
  Run Run("inthist", {{"tiles", 90, "tiles on a side", 1, 512}});
  Run.parse(Argc, Argv);
  IntHist Problem(Run["tiles"]);
  int Tiles = Problem.Tiles;
  size_t Pixels = Problem.Image.size(), Cells = Pixels * Classes;
  std::vector<int> Result(Cells);
  const unsigned char *Image = Problem.Image.data();
  int *Count = Result.data();
  Run.has((long long)Tiles * Tiles, IntHist::Threads);

  Run.begin();
#pragma omp target data map(to : Image[0 : Pixels])                            \
    map(tofrom : Count[0 : Cells])
  while (Run.again()) {
    std::fill(Result.begin(), Result.end(), -1);
#pragma omp target update to(Count[0 : Cells])
    Run.start();
    integrate(Tiles, Pixels, Image, Count);
    Run.stop();
    if (Run.keeps()) {
#pragma omp target update from(Count[0 : Cells])
      Run.keep(Result);
    }
  }
  Run.end();
  if (Run.checks())
    Run.compare("count", Result, Problem.reference());
  return Run.report(Result);
}
