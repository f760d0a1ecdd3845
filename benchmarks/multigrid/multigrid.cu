// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Multigrid: V-cycles for Poisson's equation on a square, zero around it. On
// every level two damped Jacobi sweeps, the residual, its restriction to half
// as many points a side; there the same, down to one point; then back up, with
// the correction interpolated and two more sweeps. The launches become small
// and large again, and each needs a neighbourhood of the one before it.
// Before the measured runs, every launch of one more run is checked against the
// host on the state the device had, and the measured runs must end in the very
// same bits.

#include "../common/Program.h"
#include "Level.h"
#include "Witness.h"

#include <memory>

using namespace bench;

static constexpr int Tile = 16;

/// An element of a square of N x N, zero outside.
__device__ float at(int N, const float *Of, int Y, int X) {
  return X >= 0 && Y >= 0 && X < N && Y < N ? Of[Y * N + X] : 0.0f;
}

__device__ float around(int N, const float *U, int Y, int X) {
  return (at(N, U, Y, X - 1) + at(N, U, Y, X + 1)) +
         (at(N, U, Y - 1, X) + at(N, U, Y + 1, X));
}

/// The first sweep, from zero: a part of Right is all that remains of it.
__device__ void firstPoint(uint3 Block, uint3 Thread, int N, float Part,
                           const float *Right, float *To) {
  int X = Block.x * Tile + Thread.x, Y = Block.y * Tile + Thread.y;
  if (X < N && Y < N)
    To[Y * N + X] = Part * Right[Y * N + X];
}

__global__ void firstSweep(int N, float Part, const float *Right, float *To) {
  firstPoint(blockIdx, threadIdx, N, Part, Right, To);
}

/// A sweep for 4 U - (U around) = Right.
__device__ void smoothPoint(uint3 Block, uint3 Thread, int N,
                            const float *Right, const float *U, float *To) {
  int X = Block.x * Tile + Thread.x, Y = Block.y * Tile + Thread.y;
  if (X >= N || Y >= N)
    return;
  float Wanted = 0.25f * (Right[Y * N + X] + around(N, U, Y, X));
  To[Y * N + X] = (1 - Damping) * U[Y * N + X] + Damping * Wanted;
}

__global__ void smooth(int N, const float *Right, const float *U, float *To) {
  smoothPoint(blockIdx, threadIdx, N, Right, U, To);
}

__device__ void residualPoint(uint3 Block, uint3 Thread, int N,
                              const float *Right, const float *U, float *To) {
  int X = Block.x * Tile + Thread.x, Y = Block.y * Tile + Thread.y;
  if (X < N && Y < N)
    To[Y * N + X] = Right[Y * N + X] - 4 * U[Y * N + X] + around(N, U, Y, X);
}

__global__ void residual(int N, const float *Right, const float *U, float *To) {
  residualPoint(blockIdx, threadIdx, N, Right, U, To);
}

/// The right side of the next level, N points a side: the residual weighted
/// over the point's neighbourhood (times 4, for the points there are twice as
/// far from each other).
__device__ void restrictPoint(uint3 Block, uint3 Thread, int N,
                              const float *Residual, float *Right) {
  int X = Block.x * Tile + Thread.x, Y = Block.y * Tile + Thread.y;
  if (X >= N || Y >= N)
    return;
  int Fine = 2 * N + 1, FineX = 2 * X + 1, FineY = 2 * Y + 1;
  const float *Middle = Residual + FineY * Fine + FineX;
  const float *Above = Middle - Fine, *Below = Middle + Fine;
  float Sides = (Middle[-1] + Middle[1]) + (*Above + *Below);
  float Corners = (Above[-1] + Above[1]) + (Below[-1] + Below[1]);
  Right[Y * N + X] = *Middle + 0.5f * Sides + 0.25f * Corners;
}

__global__ void restrictDown(int N, const float *Residual, float *Right) {
  restrictPoint(blockIdx, threadIdx, N, Residual, Right);
}

/// Adds what the next level has found, interpolated, to N points a side. A
/// point between two or four of that level gets their mean.
__device__ void prolongatePoint(uint3 Block, uint3 Thread, int N,
                                const float *Found, float *U) {
  int X = Block.x * Tile + Thread.x, Y = Block.y * Tile + Thread.y;
  if (X >= N || Y >= N)
    return;
  int Half = N / 2;
  int Left = (X + 1) / 2 - 1, Right = X / 2;
  int Upper = (Y + 1) / 2 - 1, Lower = Y / 2;
  float Sum = (at(Half, Found, Upper, Left) + at(Half, Found, Upper, Right)) +
              (at(Half, Found, Lower, Left) + at(Half, Found, Lower, Right));
  U[Y * N + X] += 0.25f * Sum;
}

__global__ void prolongate(int N, const float *Found, float *U) {
  prolongatePoint(blockIdx, threadIdx, N, Found, U);
}

/// Blocks for a square of N x N.
__host__ __device__ static dim3 blocks(int N) {
  return dim3((N + Tile - 1) / Tile, (N + Tile - 1) / Tile);
}

/// All cycles, for one cooperative grid.
struct SolveAll {
  static constexpr int Most = 15;
  struct Square {
    int N;
    float *U, *Right, *Spare;
  };
  int Cycles, Count;
  Square All[Most];

  __device__ void first(const Square &L, float Part, float *To) const {
    forBlocks(blocks(L.N), [&](uint3 Block) {
      firstPoint(Block, threadIdx, L.N, Part, L.Right, To);
    });
    syncGrid();
  }

  __device__ void sweep(const Square &L, const float *From, float *To) const {
    forBlocks(blocks(L.N), [&](uint3 Block) {
      smoothPoint(Block, threadIdx, L.N, L.Right, From, To);
    });
    syncGrid();
  }

  __device__ void down(const Square &L, const Square &Next,
                       bool FromZero) const {
    if (FromZero)
      first(L, 0.25f * Damping, L.Spare);
    else
      sweep(L, L.U, L.Spare);
    sweep(L, L.Spare, L.U);
    forBlocks(blocks(L.N), [&](uint3 Block) {
      residualPoint(Block, threadIdx, L.N, L.Right, L.U, L.Spare);
    });
    syncGrid();
    forBlocks(blocks(Next.N), [&](uint3 Block) {
      restrictPoint(Block, threadIdx, Next.N, L.Spare, Next.Right);
    });
    syncGrid();
  }

  __device__ void up(const Square &Next, const Square &L) const {
    forBlocks(blocks(L.N), [&](uint3 Block) {
      prolongatePoint(Block, threadIdx, L.N, Next.U, L.U);
    });
    syncGrid();
    sweep(L, L.U, L.Spare);
    sweep(L, L.Spare, L.U);
  }

  __device__ void operator()() const {
    for (int Cycle = 0; Cycle < Cycles; ++Cycle) {
      for (int I = 0; I + 1 < Count; ++I)
        down(All[I], All[I + 1], I > 0);
      first(All[Count - 1], 0.25f, All[Count - 1].U);
      for (int I = Count - 1; I > 0; --I)
        up(All[I], All[I - 1]);
    }
  }
};

using Levels = std::vector<std::unique_ptr<Level>>;

static SolveAll solveAll(int Cycles, const Levels &All) {
  SolveAll Result{Cycles, int(All.size()), {}};
  for (size_t I = 0; I < All.size(); ++I)
    Result.All[I] = {All[I]->N, All[I]->U, All[I]->Right, All[I]->Spare};
  return Result;
}

/// Launches a cycle from level \p I down and back, as kernels that wait where
/// \p Waits says so; After(Kernel, Grid, Block, Check) after each launch, where
/// Check(Witness) has a Witness look at what the launch did.
template <typename F>
static void cycle(const Levels &All, size_t I, bool FromZero, bool Waits,
                  F &After) {
  const Level &L = *All[I];
  dim3 Block(Tile, Tile), Grid = blocks(L.N);
  auto Sweep = [&](const Array<float> &From, const Array<float> &To) {
    if (Waits)
      Waiting<smoothPoint>::launch(Grid, Block, L.N, L.Right, From, To);
    else
      smooth<<<Grid, Block>>>(L.N, L.Right, From, To);
    After("smooth", Grid, Block, [&](auto &W) { W.smoothed(L, From, To); });
  };
  auto First = [&](float Part, const Array<float> &To) {
    if (Waits)
      Waiting<firstPoint>::launch(Grid, Block, L.N, Part, L.Right, To);
    else
      firstSweep<<<Grid, Block>>>(L.N, Part, L.Right, To);
    After("firstSweep", Grid, Block,
          [&, Part](auto &W) { W.firstSwept(L, Part, To); });
  };

  if (I + 1 == All.size()) {
    First(0.25f, L.U); // one point: solved
    return;
  }
  if (FromZero)
    First(0.25f * Damping, L.Spare);
  else
    Sweep(L.U, L.Spare);
  Sweep(L.Spare, L.U);
  if (Waits)
    Waiting<residualPoint>::launch(Grid, Block, L.N, L.Right, L.U, L.Spare);
  else
    residual<<<Grid, Block>>>(L.N, L.Right, L.U, L.Spare);
  After("residual", Grid, Block, [&](auto &W) { W.subtracted(L); });

  const Level &Next = *All[I + 1];
  dim3 NextGrid = blocks(Next.N);
  if (Waits)
    Waiting<restrictPoint>::launch(NextGrid, Block, Next.N, L.Spare,
                                   Next.Right);
  else
    restrictDown<<<NextGrid, Block>>>(Next.N, L.Spare, Next.Right);
  After("restrictDown", NextGrid, Block,
        [&](auto &W) { W.restricted(L, Next); });
  cycle(All, I + 1, true, Waits, After);
  if (Waits)
    Waiting<prolongatePoint>::launch(Grid, Block, L.N, Next.U, L.U);
  else
    prolongate<<<Grid, Block>>>(L.N, Next.U, L.U);
  After("prolongate", Grid, Block, [&](auto &W) { W.prolongated(Next, L); });
  Sweep(L.U, L.Spare);
  Sweep(L.Spare, L.U);
}

int main(int Argc, char **Argv) {
  Program Run("multigrid", "V-cycles for Poisson's equation on a square",
              {{"levels", 10, "grids, of 2^levels - 1 points a side and less"},
               {"cycles", 2, "V-cycles"}});
  Run.placedByHand();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Count = int(Run["levels"]), Cycles = int(Run["cycles"]);
  Run.require(Count >= 2 && Count <= SolveAll::Most, "--levels is 2 to 15");
  Levels All;
  for (int I = Count; I > 0; --I)
    All.push_back(std::make_unique<Level>((1 << I) - 1));
  Level &Finest = *All[0];
  Random From(Run.seed());
  Numbers Right = randomVector<float>(From, Finest.U.size(), -1, 1);

  auto Solve = [&](bool Waits, auto After) {
    for (int Cycle = 0; Cycle < Cycles; ++Cycle)
      cycle(All, 0, false, Waits, After);
  };
  auto Start = [&] { Finest.U.clear(), Finest.Right.upload(Right); };

  Start();
  Witness Followed(Run, Finest);
  Solve(false, [&](const char *Kernel, dim3 Grid, dim3 Block, auto Check) {
    Run.launched(Kernel, Grid, Block);
    Check(Followed);
  });
  Run.measure(Start, [&] {
    if (Run.cooperates())
      return Run.launchWhole(solveAll(Cycles, All), blocks(Finest.N),
                             dim3(Tile, Tile));
    Solve(Run.waits(), [&](const char *Kernel, dim3 Grid, dim3 Block, auto) {
      Run.launched(Kernel, Grid, Block);
    });
  });
  Followed.compareEnd(Finest);
  return Run.report();
}
