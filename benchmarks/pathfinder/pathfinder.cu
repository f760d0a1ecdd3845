// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// PathFinder: the least cost of walking through a grid from its first row to
// each cell of its last, every step going straight on or one column aside. A
// launch walks several rows. Its blocks overlap by as many columns on both
// sides, so that each finishes its own columns alone; they read the costs that
// their own and their two neighbouring blocks left behind.

#include "../common/Program.h"

using namespace bench;

static constexpr int Threads = 256;

/// Walks \p Rows rows, at most \p Halo, whose costs begin at \p Wall.
__device__ void walkPart(uint3 Block, uint3 Thread, int Columns, int Rows,
                         int Halo, const int *Wall, const int *From, int *To) {
  __shared__ int Cost[2][Threads];
  int T = Thread.x;
  int X = int(Block.x) * (Threads - 2 * Halo) + T - Halo;
  bool Exists = X >= 0 && X < Columns;
  if (Exists)
    Cost[0][T] = From[X];
  __syncthreads();
  for (int Row = 0; Row < Rows; ++Row) {
    const int *Now = Cost[Row % 2];
    if (Exists && T > Row && T < Threads - 1 - Row) {
      int Best = Now[T];
      if (X > 0)
        Best = min(Best, Now[T - 1]);
      if (X < Columns - 1)
        Best = min(Best, Now[T + 1]);
      Cost[(Row + 1) % 2][T] = Best + Wall[Row * Columns + X];
    }
    __syncthreads();
  }
  if (Exists && T >= Halo && T < Threads - Halo)
    To[X] = Cost[Rows % 2][T];
}

__global__ void walkRows(int Columns, int Rows, int Halo, const int *Wall,
                         const int *From, int *To) {
  walkPart(blockIdx, threadIdx, Columns, Rows, Halo, Wall, From, To);
}

/// The whole walk, for one cooperative grid.
struct Walk {
  dim3 Grid;
  int Columns, Rows, Height;
  const int *Wall;
  int *One, *Other;

  __device__ void operator()() const {
    int *Now = One, *Next = Other;
    for (int Row = 1; Row < Rows; Row += Height) {
      forBlocks(Grid, [&](uint3 Block) {
        walkPart(Block, threadIdx, Columns, min(Height, Rows - Row), Height,
                 Wall + Row * Columns, Now, Next);
      });
      syncGrid();
      int *Newest = Next;
      Next = Now, Now = Newest;
    }
  }
};

/// The least costs on the host, row by row.
static std::vector<int> walked(int Columns, int Rows,
                               const std::vector<int> &Wall) {
  static constexpr int Piece = 16384;
  std::vector<int> Now(Wall.begin(), Wall.begin() + Columns), Next(Columns);
  for (int Row = 1; Row < Rows; ++Row) {
    parallelFor((Columns + Piece - 1) / Piece, [&](size_t Which) {
      int Begin = int(Which) * Piece, End = std::min(Begin + Piece, Columns);
      for (int X = Begin; X < End; ++X) {
        int Left = Now[std::max(X - 1, 0)];
        int Right = Now[std::min(X + 1, Columns - 1)];
        Next[X] = std::min(std::min(Left, Right), Now[X]) +
                  Wall[size_t(Row) * Columns + X];
      }
    });
    std::swap(Now, Next);
  }
  return Now;
}

/// The least cost of a cell over every single path to it.
static int leastOfAllPaths(int Columns, const std::vector<int> &Wall, int Row,
                           int X) {
  int Own = Wall[size_t(Row) * Columns + X];
  if (Row == 0)
    return Own;
  int Best = leastOfAllPaths(Columns, Wall, Row - 1, X);
  for (int Before : {X - 1, X + 1})
    if (Before >= 0 && Before < Columns)
      Best = std::min(Best, leastOfAllPaths(Columns, Wall, Row - 1, Before));
  return Best + Own;
}

/// Costs from 0 to 9, each row from its own stream.
static std::vector<int> randomWall(Random &From, int Columns, int Rows) {
  std::vector<uint64_t> Seeds(Rows);
  for (uint64_t &Each : Seeds)
    Each = From.next();
  std::vector<int> Wall(size_t(Columns) * Rows);
  parallelFor(Rows, [&](size_t Row) {
    Random Own(Seeds[Row]);
    for (int X = 0; X < Columns; ++X)
      Wall[Row * Columns + X] = int(Own.below(10));
  });
  return Wall;
}

static void checkReference(Program &Run) {
  int Columns = 11, Rows = 9;
  Random From(Run.seed());
  std::vector<int> Wall = randomWall(From, Columns, Rows), Want;
  for (int X = 0; X < Columns; ++X)
    Want.push_back(leastOfAllPaths(Columns, Wall, Rows - 1, X));
  Run.compare("the least of all paths", walked(Columns, Rows, Wall), Want);
}

int main(int Argc, char **Argv) {
  Program Run("pathfinder", "the cheapest ways through a grid, row by row",
              {{"columns", 100000, "cells in a row"},
               {"rows", 100, "rows, the first of which is the start", 2},
               {"height", 20, "rows that one launch walks"}});
  Run.placedByHand();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Columns = int(Run["columns"]), Rows = int(Run["rows"]);
  int Height = int(Run["height"]);
  Run.require(2ll * Height < Threads, "--height is at most 127");
  Run.require(1ll * Columns * Rows < 1ll << 31,
              "--columns times --rows is below 2^31");
  Random From(Run.seed());
  std::vector<int> Wall = randomWall(From, Columns, Rows);
  std::vector<int> Start(Wall.begin(), Wall.begin() + Columns);

  Array<int> DeviceWall(Wall), One(Columns), Other(Columns);
  int *Now = One, *Next = Other;
  int Own = Threads - 2 * Height;
  dim3 Block(Threads), Grid((Columns + Own - 1) / Own);
  Run.measure(
      [&] {
        Now = One, Next = Other;
        One.upload(Start);
      },
      [&] {
        if (Run.cooperates()) {
          Walk All{Grid, Columns, Rows, Height, DeviceWall, Now, Next};
          Run.launchWhole(All, Grid, Block);
          if ((Rows - 1 + Height - 1) / Height % 2)
            std::swap(Now, Next);
          return;
        }
        for (int Row = 1; Row < Rows; Row += Height) {
          int Walked = std::min(Height, Rows - Row);
          const int *Begin = DeviceWall + Row * Columns;
          if (Run.waits())
            Waiting<walkPart>::launch(Grid, Block, Columns, Walked, Height,
                                      Begin, Now, Next);
          else
            walkRows<<<Grid, Block>>>(Columns, Walked, Height, Begin, Now,
                                      Next);
          Run.launched("walkRows", Grid, Block);
          std::swap(Now, Next);
        }
      });

  Run.compare("cost", (Now == One ? One : Other).download(),
              walked(Columns, Rows, Wall));
  return Run.report();
}
