// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Successive over-relaxation of Poisson's equation, in place: a cell takes the
// values of this sweep above and to its left, and those of the sweep before
// below and to its right. A launch is an anti-diagonal of tiles; a tile waits
// for the tiles above and to its left in the launch before, which read its old
// rim too.

#include "../common/Program.h"
#include "../common/Wavefront.h"

using namespace bench;

static constexpr int Tile = 32;
static constexpr float Omega = 1.5f;

/// Relaxes the tiles of anti-diagonal \p Diagonal from row \p FirstRow on.
/// \p Grid has a rim of one cell around N by N, which stays; \p Charge has
/// none.
__global__ void relaxTiles(int N, int Diagonal, int FirstRow,
                           const float *Charge, float *Grid) {
  // Rows of Tile + 2 put the cells of an anti-diagonal into different banks.
  __shared__ float Cell[Tile + 2][Tile + 2];
  int Top = (FirstRow + int(blockIdx.x)) * Tile;
  int Left = (Diagonal - FirstRow - int(blockIdx.x)) * Tile;
  int Height = min(Tile, N - Top), Width = min(Tile, N - Left);
  int T = threadIdx.x, Pitch = N + 2;
  float *Corner = Grid + Top * Pitch + Left;
  const float *Own = Charge + Top * N + Left;
  if (T < Width)
    for (int Y = 0; Y < Height + 2; ++Y)
      Cell[Y][T + 1] = Corner[Y * Pitch + T + 1];
  if (T < Height) {
    Cell[T + 1][0] = Corner[(T + 1) * Pitch];
    Cell[T + 1][Width + 1] = Corner[(T + 1) * Pitch + Width + 1];
  }
  __syncthreads();

  for (int Step = 0; Step < Height + Width - 1; ++Step) {
    int Y = Step - T;
    if (T < Width && Y >= 0 && Y < Height) {
      float Old = Cell[Y + 1][T + 1];
      float Around = (Cell[Y][T + 1] + Cell[Y + 1][T]) +
                     (Cell[Y + 2][T + 1] + Cell[Y + 1][T + 2]);
      float Rest = 0.25f * (Around + Own[Y * N + T]);
      Cell[Y + 1][T + 1] = Old + Omega * (Rest - Old);
    }
    __syncthreads();
  }
  if (T < Width)
    for (int Y = 0; Y < Height; ++Y)
      Corner[(Y + 1) * Pitch + T + 1] = Cell[Y + 1][T + 1];
}

/// One sweep on the host, in the kernel's order.
template <typename T>
static std::vector<T> swept(int N, const std::vector<float> &Charge,
                            const std::vector<T> &Before) {
  std::vector<T> Grid = Before;
  int Pitch = N + 2;
  wavefront(N, [&](int Y, int X) {
    T *Own = &Grid[size_t(Y + 1) * Pitch + X + 1];
    T Around = (Own[-Pitch] + Own[-1]) + (Own[Pitch] + Own[1]);
    T Rest = T(0.25f) * (Around + T(Charge[size_t(Y) * N + X]));
    *Own = *Own + T(Omega) * (Rest - *Own);
  });
  return Grid;
}

/// The same for numbers of a device. Errors of the sweep before up to E make
/// one up to F of this sweep, where F is at most |1 - Omega| E for the cell
/// itself, Omega / 4 (E + E) for two neighbours and Omega / 4 (F + F) for the
/// two others.
static std::vector<Rounded<float>>
sweptBound(int N, const std::vector<float> &Charge,
           const std::vector<Rounded<float>> &Before) {
  static constexpr double Norm =
      (std::max(Omega - 1.0, 1.0 - Omega) + Omega / 2) / (1 - Omega / 2);
  return stable(Before, Norm, [&](const std::vector<Rounded<float>> &Exact) {
    return swept(N, Charge, Exact);
  });
}

/// Many sweeps end at the solution, which is known where the charge is a wave:
/// there a cell's four neighbours sum to a constant times the cell. And a sweep
/// gives the same where its cells are taken row by row.
static void checkReference(Program &Run) {
  int N = 15, Pitch = N + 2;
  double Angle = 3.14159265358979323846 / (N + 1);
  std::vector<float> Charge(N * N);
  std::vector<double> Grid(Pitch * Pitch), Plain;
  for (int I = 0; I < N * N; ++I)
    Charge[I] = float(std::sin(Angle * (I % N + 1)) *
                      std::sin(2 * Angle * (I / N + 1)));
  for (int Sweep = 0; Sweep < 200; ++Sweep)
    Grid = swept(N, Charge, Grid);
  double Worst = 0, Factor = 4 - 2 * std::cos(Angle) - 2 * std::cos(2 * Angle);
  for (int Y = 1; Y <= N; ++Y)
    for (int X = 1; X <= N; ++X) {
      double Want = std::sin(Angle * X) * std::sin(2 * Angle * Y) / Factor;
      Worst = std::max(Worst, std::fabs(Want - Grid[Y * Pitch + X]));
    }
  Run.expect(Worst < 1e-6, "a wave is its own solution");

  N = 300, Pitch = N + 2;
  Random From(Run.seed());
  Charge = randomVector<float>(From, size_t(N) * N, -1, 1);
  Grid = randomVector<double>(From, size_t(Pitch) * Pitch, -1, 1);
  Plain = Grid;
  for (int I = 0; I < N * N; ++I) {
    double *Own = &Plain[(I / N + 1) * Pitch + I % N + 1];
    double Sum = Own[-1] + Own[1] + Own[-Pitch] + Own[Pitch] + Charge[I];
    *Own = (1 - Omega) * *Own + Omega / 4 * Sum;
  }
  std::vector<double> Swept = swept(N, Charge, Grid);
  Worst = 0;
  for (size_t I = 0; I < Swept.size(); ++I)
    Worst = std::max(Worst, std::fabs(Swept[I] - Plain[I]));
  Run.expect(Worst < 1e-13, "a sweep row by row");
}

int main(int Argc, char **Argv) {
  Program Run("sor", "over-relaxation in place, by anti-diagonals",
              {{"n", 2048, "cells on a side"}, {"sweeps", 1, "sweeps"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Sweeps = int(Run["sweeps"]);
  Run.require(N <= 46338, "--n is at most 46338");
  Random From(Run.seed());
  size_t Cells = (size_t(N) + 2) * (N + 2);
  std::vector<float> Start = randomVector<float>(From, Cells, -1, 1);
  std::vector<float> Charge = randomVector<float>(From, size_t(N) * N, -1, 1);

  Array<float> DeviceCharge(Charge), Grid(Cells);
  dim3 Block(Tile);
  Run.measure([&] { Grid.upload(Start); },
              [&] {
                for (int Sweep = 0; Sweep < Sweeps; ++Sweep)
                  for (const Diagonal &D : diagonals((N + Tile - 1) / Tile)) {
                    dim3 Tiles(D.Count);
                    relaxTiles<<<Tiles, Block>>>(N, D.Number, D.FirstRow,
                                                 DeviceCharge, Grid);
                    Run.launched("relaxTiles", Tiles, Block);
                  }
              });

  std::vector<Rounded<float>> Want(Start.begin(), Start.end());
  for (int Sweep = 0; Sweep < Sweeps; ++Sweep)
    Want = sweptBound(N, Charge, Want);
  Run.compare("potential", Grid.download(), Want);
  return Run.report();
}
