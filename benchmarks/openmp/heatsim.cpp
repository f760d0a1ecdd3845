// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// HEAT-SIM: heat over a plate, computed in place. A task computes a tile along
// its anti-diagonals; steps follow each other tile by tile.

#include "problems/HeatSim.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = HeatSim::Side;

static void computeCell(int Tiles, int Y, int X, float *Heat) {
  int Last = Tiles * Side - 1;
  float Left = X > 0 ? Heat[at<Side>(Tiles, Y, X - 1)] : 0.0f;
  float Right = X < Last ? Heat[at<Side>(Tiles, Y, X + 1)] : 0.0f;
  float Up = Y > 0 ? Heat[at<Side>(Tiles, Y - 1, X)] : 0.0f;
  float Down = Y < Last ? Heat[at<Side>(Tiles, Y + 1, X)] : 0.0f;
  Heat[at<Side>(Tiles, Y, X)] = 0.25f * ((Left + Right) + (Up + Down));
}

static void computeTile(int Tiles, int I, int J, float *Heat) {
#pragma omp parallel
  for (int Step = 0; Step < 2 * Side - 1; ++Step) {
#pragma omp for
    for (int Row = 0; Row < Side; ++Row) {
      int Column = Step - Row;
      if (Column >= 0 && Column < Side)
        computeCell(Tiles, I * Side + Row, J * Side + Column, Heat);
    }
  }
}
#pragma omp end declare target

static void simulate(int Tiles, int Steps, float *Heat) {
  constexpr int Tile = Side * Side;
  size_t Cells = size_t(Tiles) * size_t(Tiles) * Tile;
#pragma omp target thread_limit(HeatSim::Threads) map(tofrom : Heat[0 : Cells])
  for (int Step = 0; Step < Steps; ++Step)
    for (int I = 0; I < Tiles; ++I)
      for (int J = 0; J < Tiles; ++J) {
        int Own = (I * Tiles + J) * Tile;
        int Left = J > 0 ? Own - Tile : Own;
        int Right = J + 1 < Tiles ? Own + Tile : Own;
        int Up = I > 0 ? Own - Tiles * Tile : Own;
        int Down = I + 1 < Tiles ? Own + Tiles * Tile : Own;
#pragma omp task firstprivate(I, J) depend(in : Heat[Left : Tile])             \
    depend(in : Heat[Right : Tile]) depend(in : Heat[Up : Tile])               \
    depend(in : Heat[Down : Tile]) depend(inout : Heat[Own : Tile])
        computeTile(Tiles, I, J, Heat);
      }
}

int main(int Argc, char **Argv) {
  Run Run("heatsim", {{"tiles", 90, "tiles on a side", 1, 1024},
                      {"steps", 1, "steps of time"}});
  Run.parse(Argc, Argv);
  HeatSim Problem(Run["tiles"], Run["steps"]);
  int Tiles = Problem.Tiles, Steps = Problem.Steps;
  std::vector<float> Result = Problem.Heat;
  size_t Cells = Result.size();
  float *Heat = Result.data();
  Run.has((long long)Tiles * Tiles * Steps, HeatSim::Threads);

  Run.begin();
#pragma omp target data map(tofrom : Heat[0 : Cells])
  while (Run.again()) {
    std::copy(Problem.Heat.begin(), Problem.Heat.end(), Heat);
#pragma omp target update to(Heat[0 : Cells])
    Run.start();
    simulate(Tiles, Steps, Heat);
    Run.stop();
    if (Run.keeps()) {
#pragma omp target update from(Heat[0 : Cells])
      Run.keep(Result);
    }
  }
  Run.end();
  if (Run.checks())
    Run.compare("heat", Result, Problem.reference());
  return Run.report(Result);
}
