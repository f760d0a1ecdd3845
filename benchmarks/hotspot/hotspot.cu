// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// HotSpot: the temperature of a chip from the power of its units. Every step
// moves heat between the four neighbours of a cell and to the air above it,
// from one grid into another; the border is insulated.

#include "../common/Program.h"

using namespace bench;

static constexpr int Tile = 16;
static constexpr float Ambient = 80.0f, Lateral = 0.1f, Vertical = 0.0125f,
                       Warming = 0.5f;

__device__ void heatCell(uint3 Block, uint3 Thread, int N, const float *Power,
                         const float *From, float *To) {
  int X = Block.x * Tile + Thread.x;
  int Y = Block.y * Tile + Thread.y;
  if (X >= N || Y >= N)
    return;
  int Left = max(X - 1, 0), Right = min(X + 1, N - 1);
  int Above = max(Y - 1, 0), Below = min(Y + 1, N - 1);
  float Own = From[Y * N + X];
  float Sideways = From[Y * N + Left] + From[Y * N + Right];
  float Upright = From[Above * N + X] + From[Below * N + X];
  To[Y * N + X] = Own + Lateral * (Sideways + Upright - 4.0f * Own) +
                  Vertical * (Ambient - Own) + Warming * Power[Y * N + X];
}

__global__ void heatStep(int N, const float *Power, const float *From,
                         float *To) {
  heatCell(blockIdx, threadIdx, N, Power, From, To);
}

/// All steps, for one cooperative grid.
struct HeatSteps {
  dim3 Grid;
  int Steps, N;
  const float *Power;
  float *One, *Other;

  __device__ void operator()() const {
    float *Now = One, *Next = Other;
    for (int Step = 0; Step < Steps; ++Step) {
      forBlocks(Grid, [&](uint3 Block) {
        heatCell(Block, threadIdx, N, Power, Now, Next);
      });
      syncGrid();
      float *Newest = Next;
      Next = Now, Now = Newest;
    }
  }
};

/// One step on the host, in the kernel's order.
template <typename T>
static std::vector<T> stepped(int N, const std::vector<float> &Power,
                              const std::vector<T> &From) {
  std::vector<T> To(From.size());
  parallelFor(N, [&](size_t Row) {
    int Y = int(Row);
    for (int X = 0; X < N; ++X) {
      auto At = [&](int Column, int Line) {
        Column = std::clamp(Column, 0, N - 1);
        return From[size_t(std::clamp(Line, 0, N - 1)) * N + Column];
      };
      T Own = At(X, Y);
      T Around = (At(X - 1, Y) + At(X + 1, Y)) + (At(X, Y - 1) + At(X, Y + 1));
      size_t Cell = size_t(Y) * N + X;
      To[Cell] = Own + T(Lateral) * (Around - T(4.0f) * Own) +
                 T(Vertical) * (T(Ambient) - Own) + T(Warming) * T(Power[Cell]);
    }
  });
  return To;
}

/// The same for numbers of a device. The coefficients of a cell and its
/// neighbours, all positive, sum to 1 - Vertical: a step enlarges no error.
static std::vector<Rounded<float>>
steppedBound(int N, const std::vector<float> &Power,
             const std::vector<Rounded<float>> &From) {
  return stable(From, 1, [&](const std::vector<Rounded<float>> &Exact) {
    return stepped(N, Power, Exact);
  });
}

/// Without power and air the heat is only moved: its sum stays. With equal
/// cells the grid is one cell, whose temperature has a closed form.
static void checkReference(Program &Run) {
  int N = 33, Steps = 20;
  Random From(Run.seed());
  float Heat = float(From.uniform(60, 100)), Each = float(From.uniform(0, 1));
  std::vector<float> Power(size_t(N) * N, Each);
  std::vector<Rounded<float>> Grid(Power.size(), Heat);
  for (int Step = 0; Step < Steps; ++Step)
    Grid = steppedBound(N, Power, Grid);
  double Rest = Ambient + double(Warming) * Each / Vertical;
  double Want = Rest + (Heat - Rest) * std::pow(1 - double(Vertical), Steps);
  Run.compare("a uniform grid", Grid,
              std::vector<Rounded<float>>(Grid.size(),
                                          Rounded<float>::nearest(Want, 0)));

  std::vector<double> Start(Power.size()), Cool(Power.size());
  double Before = 0, After = 0, Gained = 0;
  for (double &Cell : Start)
    Before += Cell = From.uniform(60, 100);
  for (float &Cell : Power)
    Cell = float(From.uniform(0, 1));
  Cool = stepped(N, Power, Start);
  for (size_t I = 0; I < Start.size(); ++I) {
    After += Cool[I];
    Gained += Vertical * (double(Ambient) - Start[I]) + Warming * Power[I];
  }
  Run.expect(std::fabs(Before + Gained - After) < 1e-9 * Before,
             "the heat of a step is what came in");
}

int main(int Argc, char **Argv) {
  Program Run("hotspot", "the temperature of a chip, step by step",
              {{"n", 1024, "cells on a side"}, {"steps", 10, "time steps"}});
  Run.placedByHand();
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Steps = int(Run["steps"]);
  Run.require(N <= 46340, "--n is at most 46340");
  Random From(Run.seed());
  size_t Cells = size_t(N) * N;
  std::vector<float> Power = randomVector<float>(From, Cells, 0, 1);
  std::vector<float> Start = randomVector<float>(From, Cells, 60, 100);

  Array<float> DevicePower(Power), One(Cells), Other(Cells);
  float *Now = One, *Next = Other;
  dim3 Block(Tile, Tile), Grid((N + Tile - 1) / Tile, (N + Tile - 1) / Tile);
  Run.measure(
      [&] {
        Now = One, Next = Other;
        One.upload(Start);
      },
      [&] {
        if (Run.cooperates()) {
          HeatSteps All{Grid, Steps, N, DevicePower, Now, Next};
          Run.launchWhole(All, Grid, Block);
          if (Steps % 2)
            std::swap(Now, Next);
          return;
        }
        for (int Step = 0; Step < Steps; ++Step) {
          if (Run.waits())
            Waiting<heatCell>::launch(Grid, Block, N, DevicePower, Now, Next);
          else
            heatStep<<<Grid, Block>>>(N, DevicePower, Now, Next);
          Run.launched("heatStep", Grid, Block);
          std::swap(Now, Next);
        }
      });

  std::vector<Rounded<float>> Want(Start.begin(), Start.end());
  for (int Step = 0; Step < Steps; ++Step)
    Want = steppedBound(N, Power, Want);
  Run.compare("temperature", (Now == One ? One : Other).download(), Want);
  return Run.report();
}
