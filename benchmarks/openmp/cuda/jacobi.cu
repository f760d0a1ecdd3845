// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of JACOBI: all copies, then all computations.

#include "../problems/Jacobi.h"
#include "Waves.h"

using namespace tasks;

struct Work {
  static constexpr int Kinds = 2;
  enum : int { Threads = Jacobi::Threads, Side = Jacobi::Side };
  int Tiles, Iterations;
  const float *Charge;
  float *Old, *New;

  __host__ __device__ int waves() const { return 2 * Iterations; }
  __host__ __device__ int kind(int Wave) const { return Wave % 2; }
  __host__ __device__ int blocks(int) const { return Tiles * Tiles; }

  template <int Kind> __device__ void tile(int, int Block) const {
    for (int Cell = int(threadIdx.x); Cell < Side * Side; Cell += Threads)
      if (Kind == 0)
        Old[Block * Side * Side + Cell] = New[Block * Side * Side + Cell];
      else
        compute(Block / Tiles * Side + Cell / Side,
                Block % Tiles * Side + Cell % Side);
  }

  __device__ void compute(int Y, int X) const {
    int Last = Tiles * Side - 1;
    float Left = X > 0 ? Old[at<Side>(Tiles, Y, X - 1)] : 0.0f;
    float Right = X < Last ? Old[at<Side>(Tiles, Y, X + 1)] : 0.0f;
    float Up = Y > 0 ? Old[at<Side>(Tiles, Y - 1, X)] : 0.0f;
    float Down = Y < Last ? Old[at<Side>(Tiles, Y + 1, X)] : 0.0f;
    size_t Own = at<Side>(Tiles, Y, X);
    New[Own] = 0.25f * (((Left + Right) + (Up + Down)) + Charge[Own]);
  }
};

int main(int Argc, char **Argv) {
  Run Run("jacobi",
          {{"tiles", 30, "tiles on a side", 1, 512},
           {"iterations", 2, "iterations"}},
          waysOfWaves());
  Run.parse(Argc, Argv);
  Jacobi Problem(Run["tiles"], Run["iterations"]);
  bench::Array<float> Charge(Problem.Charge), Old(Problem.Start.size()),
      New(Problem.Start.size());
  Work Work{Problem.Tiles, Problem.Iterations, Charge, Old, New};
  std::vector<float> Result = measure(Run, Work, Problem.Start, New);
  if (Run.checks())
    Run.compare("potential", Result, Problem.reference());
  return Run.report(Result);
}
