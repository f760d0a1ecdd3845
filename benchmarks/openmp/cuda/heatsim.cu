// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of HEAT-SIM: tiles by anti-diagonals, step after step.

#include "../problems/HeatSim.h"
#include "Waves.h"

using namespace tasks;

struct Work {
  static constexpr int Kinds = 1;
  enum : int { Threads = HeatSim::Threads, Side = HeatSim::Side };
  int Tiles, Steps;
  float *Heat;

  __host__ __device__ int waves() const { return Steps * (2 * Tiles - 1); }
  __host__ __device__ int kind(int) const { return 0; }
  __host__ __device__ int blocks(int Wave) const {
    return antiDiagonal(Tiles, Wave % (2 * Tiles - 1)).Count;
  }

  __device__ void cell(int Y, int X) const {
    int Last = Tiles * Side - 1;
    float Left = X > 0 ? Heat[at<Side>(Tiles, Y, X - 1)] : 0.0f;
    float Right = X < Last ? Heat[at<Side>(Tiles, Y, X + 1)] : 0.0f;
    float Up = Y > 0 ? Heat[at<Side>(Tiles, Y - 1, X)] : 0.0f;
    float Down = Y < Last ? Heat[at<Side>(Tiles, Y + 1, X)] : 0.0f;
    Heat[at<Side>(Tiles, Y, X)] = 0.25f * ((Left + Right) + (Up + Down));
  }

  template <int> __device__ void tile(int Wave, int Block) const {
    int Number = Wave % (2 * Tiles - 1), Row = int(threadIdx.x);
    int I = antiDiagonal(Tiles, Number).Row + Block, J = Number - I;
    for (int Step = 0; Step < 2 * Side - 1; ++Step) {
      int Column = Step - Row;
      if (Column >= 0 && Column < Side)
        cell(I * Side + Row, J * Side + Column);
      __syncthreads();
    }
  }
};

int main(int Argc, char **Argv) {
  Run Run("heatsim",
          {{"tiles", 90, "tiles on a side", 1, 1024},
           {"steps", 1, "steps of time"}},
          waysOfWaves());
  Run.parse(Argc, Argv);
  HeatSim Problem(Run["tiles"], Run["steps"]);
  bench::Array<float> Heat(Problem.Heat.size());
  Work Work{Problem.Tiles, Problem.Steps, Heat};
  std::vector<float> Result = measure(Run, Work, Problem.Heat, Heat);
  if (Run.checks())
    Run.compare("heat", Result, Problem.reference());
  return Run.report(Result);
}
