// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Jacobi's iteration for Poisson's equation, in tiles: one launch copies the
// newest grid, the next computes each cell from the copies of its four
// neighbours. A tile is copied when it is computed; it is computed when it and
// its neighbours are copied, and copied over when they have been computed.

#include "../common/Program.h"

using namespace bench;

static constexpr int Tile = 32, Lines = 8;

__device__ void copyTile(uint3 Block, uint3 Thread, int N, const float *From,
                         float *To) {
  int X = Block.x * Tile + Thread.x;
  int Top = Block.y * Tile;
  if (X >= N)
    return;
  for (int Y = Top + Thread.y; Y < min(Top + Tile, N); Y += Lines)
    To[Y * N + X] = From[Y * N + X];
}

__global__ void copyTiles(int N, const float *From, float *To) {
  copyTile(blockIdx, threadIdx, N, From, To);
}

/// Cells outside of the grid are 0.
__device__ void computeTile(uint3 Block, uint3 Thread, int N,
                            const float *Charge, const float *From, float *To) {
  int X = Block.x * Tile + Thread.x;
  int Top = Block.y * Tile;
  if (X >= N)
    return;
  for (int Y = Top + Thread.y; Y < min(Top + Tile, N); Y += Lines) {
    float Left = X > 0 ? From[Y * N + X - 1] : 0.0f;
    float Right = X < N - 1 ? From[Y * N + X + 1] : 0.0f;
    float Above = Y > 0 ? From[(Y - 1) * N + X] : 0.0f;
    float Below = Y < N - 1 ? From[(Y + 1) * N + X] : 0.0f;
    To[Y * N + X] =
        0.25f * ((Left + Right) + (Above + Below) + Charge[Y * N + X]);
  }
}

__global__ void computeTiles(int N, const float *Charge, const float *From,
                             float *To) {
  computeTile(blockIdx, threadIdx, N, Charge, From, To);
}

/// All iterations, for one cooperative grid.
struct Iterate {
  dim3 Grid;
  int Iterations, N;
  const float *Charge;
  float *Old, *New;

  __device__ void operator()() const {
    for (int I = 0; I < Iterations; ++I) {
      forBlocks(Grid,
                [&](uint3 Block) { copyTile(Block, threadIdx, N, New, Old); });
      syncGrid();
      forBlocks(Grid, [&](uint3 Block) {
        computeTile(Block, threadIdx, N, Charge, Old, New);
      });
      syncGrid();
    }
  }
};

/// One iteration on the host, in the kernel's order.
template <typename T>
static std::vector<T> iterated(int N, const std::vector<float> &Charge,
                               const std::vector<T> &From) {
  std::vector<T> To(From.size());
  parallelFor(N, [&](size_t Row) {
    int Y = int(Row);
    for (int X = 0; X < N; ++X) {
      auto At = [&](int Line, int Column) {
        bool Inside = Line >= 0 && Line < N && Column >= 0 && Column < N;
        return Inside ? From[size_t(Line) * N + Column] : T(0.0f);
      };
      T Sides = At(Y, X - 1) + At(Y, X + 1);
      T Ends = At(Y - 1, X) + At(Y + 1, X);
      size_t Cell = size_t(Y) * N + X;
      To[Cell] = T(0.25f) * (Sides + Ends + T(Charge[Cell]));
    }
  });
  return To;
}

/// The same for numbers of a device. A cell is a quarter of four others: an
/// iteration enlarges no error.
static std::vector<Rounded<float>>
iteratedBound(int N, const std::vector<float> &Charge,
              const std::vector<Rounded<float>> &From) {
  return stable(From, 1, [&](const std::vector<Rounded<float>> &Exact) {
    return iterated(N, Charge, Exact);
  });
}

/// A wave without charge keeps its shape and shrinks by a known factor; with
/// itself as its charge it goes on to a known multiple of itself.
static void checkReference(Program &Run) {
  int N = 20, Iterations = 30;
  double Angle = 3.14159265358979323846 / (N + 1);
  std::vector<float> Nothing(N * N), Charge(N * N);
  std::vector<double> Wave(N * N), Charged(N * N);
  for (int I = 0; I < N * N; ++I)
    Charge[I] = float(Wave[I] = std::sin(Angle * (I % N + 1)) *
                                std::sin(3 * Angle * (I / N + 1)));
  double Factor = (std::cos(Angle) + std::cos(3 * Angle)) / 2;
  double Shrunk = std::pow(Factor, Iterations);
  std::vector<double> Grid = Wave;
  for (int I = 0; I < Iterations; ++I) {
    Grid = iterated(N, Nothing, Grid);
    Charged = iterated(N, Charge, Charged);
  }
  double Worst = 0, WorstCharged = 0, Rest = 0.25 / (1 - Factor);
  for (int I = 0; I < N * N; ++I) {
    Worst = std::max(Worst, std::fabs(Grid[I] - Shrunk * Wave[I]));
    WorstCharged = std::max(
        WorstCharged, std::fabs(Charged[I] - Rest * (1 - Shrunk) * Wave[I]));
  }
  Run.expect(Worst < 1e-14, "a wave shrinks");
  Run.expect(WorstCharged < 1e-6, "a charged wave grows");
}

int main(int Argc, char **Argv) {
  Program Run("jacobi", "Jacobi's iteration, in tiles",
              {{"n", 960, "cells on a side"}, {"iterations", 2, "iterations"}});
  Run.placedByHand();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Iterations = int(Run["iterations"]);
  Run.require(N <= 46340, "--n is at most 46340");
  Random From(Run.seed());
  size_t Cells = size_t(N) * N;
  std::vector<float> Start = randomVector<float>(From, Cells, -1, 1);
  std::vector<float> Charge = randomVector<float>(From, Cells, -1, 1);

  Array<float> DeviceCharge(Charge), Old(Cells), New(Cells);
  dim3 Block(Tile, Lines), Grid((N + Tile - 1) / Tile, (N + Tile - 1) / Tile);
  Run.measure(
      [&] {
        Old.clear();
        New.upload(Start);
      },
      [&] {
        if (Run.cooperates()) {
          Iterate All{Grid, Iterations, N, DeviceCharge, Old, New};
          return Run.launchWhole(All, Grid, Block);
        }
        for (int I = 0; I < Iterations; ++I) {
          if (Run.waits())
            Waiting<copyTile>::launch(Grid, Block, N, New, Old);
          else
            copyTiles<<<Grid, Block>>>(N, New, Old);
          Run.launched("copyTiles", Grid, Block);
          if (Run.waits())
            Waiting<computeTile>::launch(Grid, Block, N, DeviceCharge, Old,
                                         New);
          else
            computeTiles<<<Grid, Block>>>(N, DeviceCharge, Old, New);
          Run.launched("computeTiles", Grid, Block);
        }
      });

  std::vector<Rounded<float>> Want(Start.begin(), Start.end());
  for (int I = 0; I < Iterations; ++I)
    Want = iteratedBound(N, Charge, Want);
  Run.compare("potential", New.download(), Want);
  return Run.report();
}
