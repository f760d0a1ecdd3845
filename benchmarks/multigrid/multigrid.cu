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
__global__ void firstSweep(int N, float Part, const float *Right, float *To) {
  int X = blockIdx.x * Tile + threadIdx.x, Y = blockIdx.y * Tile + threadIdx.y;
  if (X < N && Y < N)
    To[Y * N + X] = Part * Right[Y * N + X];
}

/// A sweep for 4 U - (U around) = Right.
__global__ void smooth(int N, const float *Right, const float *U, float *To) {
  int X = blockIdx.x * Tile + threadIdx.x, Y = blockIdx.y * Tile + threadIdx.y;
  if (X >= N || Y >= N)
    return;
  float Wanted = 0.25f * (Right[Y * N + X] + around(N, U, Y, X));
  To[Y * N + X] = (1 - Damping) * U[Y * N + X] + Damping * Wanted;
}

__global__ void residual(int N, const float *Right, const float *U, float *To) {
  int X = blockIdx.x * Tile + threadIdx.x, Y = blockIdx.y * Tile + threadIdx.y;
  if (X < N && Y < N)
    To[Y * N + X] = Right[Y * N + X] - 4 * U[Y * N + X] + around(N, U, Y, X);
}

/// The right side of the next level, N points a side: the residual weighted
/// over the point's neighbourhood (times 4, for the points there are twice as
/// far from each other).
__global__ void restrictDown(int N, const float *Residual, float *Right) {
  int X = blockIdx.x * Tile + threadIdx.x, Y = blockIdx.y * Tile + threadIdx.y;
  if (X >= N || Y >= N)
    return;
  int Fine = 2 * N + 1, FineX = 2 * X + 1, FineY = 2 * Y + 1;
  const float *Middle = Residual + FineY * Fine + FineX;
  const float *Above = Middle - Fine, *Below = Middle + Fine;
  float Sides = (Middle[-1] + Middle[1]) + (*Above + *Below);
  float Corners = (Above[-1] + Above[1]) + (Below[-1] + Below[1]);
  Right[Y * N + X] = *Middle + 0.5f * Sides + 0.25f * Corners;
}

/// Adds what the next level has found, interpolated, to N points a side. A
/// point between two or four of that level gets their mean.
__global__ void prolongate(int N, const float *Found, float *U) {
  int X = blockIdx.x * Tile + threadIdx.x, Y = blockIdx.y * Tile + threadIdx.y;
  if (X >= N || Y >= N)
    return;
  int Half = N / 2;
  int Left = (X + 1) / 2 - 1, Right = X / 2;
  int Upper = (Y + 1) / 2 - 1, Lower = Y / 2;
  float Sum = (at(Half, Found, Upper, Left) + at(Half, Found, Upper, Right)) +
              (at(Half, Found, Lower, Left) + at(Half, Found, Lower, Right));
  U[Y * N + X] += 0.25f * Sum;
}

using Levels = std::vector<std::unique_ptr<Level>>;

/// Launches a cycle from level \p I down and back; After(Kernel, Grid, Block,
/// Check) after each launch, where Check(Witness) has a Witness look at what
/// the launch did.
template <typename F>
static void cycle(const Levels &All, size_t I, bool FromZero, F &After) {
  const Level &L = *All[I];
  auto Blocks = [](int N) {
    return dim3((N + Tile - 1) / Tile, (N + Tile - 1) / Tile);
  };
  dim3 Block(Tile, Tile), Grid = Blocks(L.N);
  auto Sweep = [&](const Array<float> &From, const Array<float> &To) {
    smooth<<<Grid, Block>>>(L.N, L.Right, From, To);
    After("smooth", Grid, Block, [&](auto &W) { W.smoothed(L, From, To); });
  };
  auto First = [&](float Part, const Array<float> &To) {
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
  residual<<<Grid, Block>>>(L.N, L.Right, L.U, L.Spare);
  After("residual", Grid, Block, [&](auto &W) { W.subtracted(L); });

  const Level &Next = *All[I + 1];
  dim3 NextGrid = Blocks(Next.N);
  restrictDown<<<NextGrid, Block>>>(Next.N, L.Spare, Next.Right);
  After("restrictDown", NextGrid, Block,
        [&](auto &W) { W.restricted(L, Next); });
  cycle(All, I + 1, true, After);
  prolongate<<<Grid, Block>>>(L.N, Next.U, L.U);
  After("prolongate", Grid, Block, [&](auto &W) { W.prolongated(Next, L); });
  Sweep(L.U, L.Spare);
  Sweep(L.Spare, L.U);
}

int main(int Argc, char **Argv) {
  Program Run("multigrid", "V-cycles for Poisson's equation on a square",
              {{"levels", 10, "grids, of 2^levels - 1 points a side and less"},
               {"cycles", 2, "V-cycles"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Count = int(Run["levels"]), Cycles = int(Run["cycles"]);
  Run.require(Count >= 2 && Count <= 15, "--levels is 2 to 15");
  Levels All;
  for (int I = Count; I > 0; --I)
    All.push_back(std::make_unique<Level>((1 << I) - 1));
  Level &Finest = *All[0];
  Random From(Run.seed());
  Numbers Right = randomVector<float>(From, Finest.U.size(), -1, 1);

  auto Solve = [&](auto After) {
    for (int Cycle = 0; Cycle < Cycles; ++Cycle)
      cycle(All, 0, false, After);
  };
  auto Start = [&] { Finest.U.clear(), Finest.Right.upload(Right); };

  Start();
  Witness Followed(Run, Finest);
  Solve([&](const char *Kernel, dim3 Grid, dim3 Block, auto Check) {
    Run.launched(Kernel, Grid, Block);
    Check(Followed);
  });
  Run.measure(Start, [&] {
    Solve([&](const char *Kernel, dim3 Grid, dim3 Block, auto) {
      Run.launched(Kernel, Grid, Block);
    });
  });
  Followed.compareEnd(Finest);
  return Run.report();
}
