// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Heat in a plate by Saul'yev's asymmetric scheme: a step takes the new
// temperatures above and to the left of a cell and the old ones of itself,
// below and to the right. A launch is an anti-diagonal of tiles; a tile waits
// for the tiles above and to its left in the launch before.

#include "../common/Program.h"
#include "../common/Wavefront.h"

using namespace bench;

static constexpr int Tile = 32;
static constexpr float Conduction = 0.4f;
static constexpr float Keep = (1 - 2 * Conduction) / (1 + 2 * Conduction);
static constexpr float Gain = Conduction / (1 + 2 * Conduction);

/// Computes a tile of anti-diagonal \p Diagonal, whose first stands in row
/// \p FirstRow. Both plates have a rim of one cell around N by N, which stays.
__device__ void heatTile(uint3 Block, uint3 Thread, int N, int Diagonal,
                         int FirstRow, const float *Old, float *New) {
  // Rows of Tile + 2 put the cells of an anti-diagonal into different banks.
  __shared__ float Before[Tile + 1][Tile + 2], After[Tile + 1][Tile + 2];
  int Top = (FirstRow + int(Block.x)) * Tile;
  int Left = (Diagonal - FirstRow - int(Block.x)) * Tile;
  int Height = min(Tile, N - Top), Width = min(Tile, N - Left);
  int T = Thread.x, Pitch = N + 2;
  const float *OldCell = Old + (Top + 1) * Pitch + Left + 1;
  float *NewCell = New + (Top + 1) * Pitch + Left + 1;
  if (T < Width) {
    for (int Y = 0; Y <= Height; ++Y)
      Before[Y][T] = OldCell[Y * Pitch + T];
    After[0][T + 1] = NewCell[T - Pitch];
  }
  if (T < Height) {
    Before[T][Width] = OldCell[T * Pitch + Width];
    After[T + 1][0] = NewCell[T * Pitch - 1];
  }
  __syncthreads();

  for (int Step = 0; Step < Height + Width - 1; ++Step) {
    int Y = Step - T;
    if (T < Width && Y >= 0 && Y < Height)
      After[Y + 1][T + 1] =
          Keep * Before[Y][T] + Gain * ((After[Y][T + 1] + After[Y + 1][T]) +
                                        (Before[Y + 1][T] + Before[Y][T + 1]));
    __syncthreads();
  }
  if (T < Width)
    for (int Y = 0; Y < Height; ++Y)
      NewCell[Y * Pitch + T] = After[Y + 1][T + 1];
}

__global__ void heatTiles(int N, int Diagonal, int FirstRow, const float *Old,
                          float *New) {
  heatTile(blockIdx, threadIdx, N, Diagonal, FirstRow, Old, New);
}

/// All steps, for one cooperative grid.
struct HeatSteps {
  int Steps, N, Tiles;
  float *One, *Other;

  __device__ void operator()() const {
    float *Now = One, *Next = Other;
    for (int Step = 0; Step < Steps; ++Step) {
      for (int Number = 0; Number < 2 * Tiles - 1; ++Number) {
        Diagonal D = diagonal(Tiles, Number);
        forBlocks(dim3(D.Count), [&](uint3 Block) {
          heatTile(Block, threadIdx, N, D.Number, D.FirstRow, Now, Next);
        });
        syncGrid();
      }
      float *Newest = Next;
      Next = Now, Now = Newest;
    }
  }
};

/// One step on the host, in the kernel's order.
template <typename T>
static std::vector<T> stepped(int N, const std::vector<T> &Old) {
  std::vector<T> New = Old;
  int Pitch = N + 2;
  wavefront(N, [&](int Y, int X) {
    size_t Own = size_t(Y + 1) * Pitch + X + 1;
    New[Own] =
        T(Keep) * Old[Own] + T(Gain) * ((New[Own - Pitch] + New[Own - 1]) +
                                        (Old[Own + Pitch] + Old[Own + 1]));
  });
  return New;
}

/// The same for numbers of a device. The coefficients of a cell are positive
/// and sum to 1 but for their rounding, for which there is one more part in
/// 2^20: a step enlarges no error by more.
static std::vector<Rounded<float>>
steppedBound(int N, const std::vector<Rounded<float>> &Old) {
  return stable(Old, 1 + 0x1p-20,
                [&](const std::vector<Rounded<float>> &Exact) {
                  return stepped(N, Exact);
                });
}

/// The weight with which a cell's share reaches the one \p Down and \p Right of
/// it in the same step: one factor Gain for every cell on the way, and as many
/// ways as there are orders of going down and right.
static double weight(int Down, int Right) {
  double Ways = 1;
  for (int I = 1; I <= Down; ++I)
    Ways = Ways * (Right + I) / I;
  return Ways * std::pow(double(Gain), Down + Right);
}

/// A slope stays as it is; and a step is what every cell takes from the old
/// temperatures and from the rim, spread by weight().
static void checkReference(Program &Run) {
  int N = 20, Pitch = N + 2;
  std::vector<Rounded<float>> Slope;
  for (int I = 0; I < Pitch * Pitch; ++I)
    Slope.push_back(float(3 * (I % Pitch) - 2 * (I / Pitch) + 40));
  std::vector<Rounded<float>> Later = Slope;
  for (int Step = 0; Step < 5; ++Step)
    Later = steppedBound(N, Later);
  Run.compare("a slope", Later, Slope);

  Random From(Run.seed());
  std::vector<double> Old(Pitch * Pitch);
  for (double &Each : Old)
    Each = From.uniform(0, 100);
  std::vector<double> New = stepped(N, Old);
  double Worst = 0;
  for (int Y = 1; Y <= N; ++Y)
    for (int X = 1; X <= N; ++X) {
      double Want = 0;
      for (int V = 1; V <= Y; ++V)
        for (int U = 1; U <= X; ++U) {
          const double *At = &Old[V * Pitch + U];
          double Rim = (V == 1 ? At[-Pitch] : 0) + (U == 1 ? At[-1] : 0);
          Want += weight(Y - V, X - U) *
                  (Keep * At[0] + Gain * (At[Pitch] + At[1] + Rim));
        }
      Worst = std::max(Worst, std::fabs(Want - New[Y * Pitch + X]));
    }
  Run.expect(Worst < 1e-11, "a step by its weights");
}

int main(int Argc, char **Argv) {
  Program Run("heat2d", "heat in a plate, by anti-diagonals",
              {{"n", 2048, "cells on a side"}, {"steps", 1, "time steps"}});
  Run.placedByHand();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Steps = int(Run["steps"]);
  Run.require(N <= 46338, "--n is at most 46338");
  Random From(Run.seed());
  size_t Cells = (size_t(N) + 2) * (N + 2);
  std::vector<float> Start = randomVector<float>(From, Cells, 0, 100);

  Array<float> One(Cells), Other(Cells);
  float *Now = One, *Next = Other;
  dim3 Block(Tile);
  int Tiles = (N + Tile - 1) / Tile;
  Run.measure(
      [&] {
        Now = One, Next = Other;
        One.upload(Start);
        Other.upload(Start);
      },
      [&] {
        if (Run.cooperates()) {
          HeatSteps All{Steps, N, Tiles, Now, Next};
          Run.launchWhole(All, Tiles, Block);
          if (Steps % 2)
            std::swap(Now, Next);
          return;
        }
        for (int Step = 0; Step < Steps; ++Step) {
          for (const Diagonal &D : diagonals(Tiles)) {
            dim3 Grid(D.Count);
            if (Run.waits())
              Waiting<heatTile>::launch(Grid, Block, N, D.Number, D.FirstRow,
                                        Now, Next);
            else
              heatTiles<<<Grid, Block>>>(N, D.Number, D.FirstRow, Now, Next);
            Run.launched("heatTiles", Grid, Block);
          }
          std::swap(Now, Next);
        }
      });

  std::vector<Rounded<float>> Want(Start.begin(), Start.end());
  for (int Step = 0; Step < Steps; ++Step)
    Want = steppedBound(N, Want);
  Run.compare("temperature", (Now == One ? One : Other).download(), Want);
  return Run.report();
}
