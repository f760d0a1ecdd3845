// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// JACOBI: Jacobi's iteration, a task that copies and one that computes for each
// tile and iteration.

#include "problems/Jacobi.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = Jacobi::Side;

static void copyTile(const float *From, float *To) {
#pragma omp parallel for
  for (int Cell = 0; Cell < Side * Side; ++Cell)
    To[Cell] = From[Cell];
}

static void computeTile(int Tiles, int I, int J, const float *Charge,
                        const float *Old, float *New) {
  int Last = Tiles * Side - 1;
#pragma omp parallel for
  for (int Cell = 0; Cell < Side * Side; ++Cell) {
    int Y = I * Side + Cell / Side, X = J * Side + Cell % Side;
    float Left = X > 0 ? Old[at<Side>(Tiles, Y, X - 1)] : 0.0f;
    float Right = X < Last ? Old[at<Side>(Tiles, Y, X + 1)] : 0.0f;
    float Up = Y > 0 ? Old[at<Side>(Tiles, Y - 1, X)] : 0.0f;
    float Down = Y < Last ? Old[at<Side>(Tiles, Y + 1, X)] : 0.0f;
    size_t Own = at<Side>(Tiles, Y, X);
    New[Own] = 0.25f * (((Left + Right) + (Up + Down)) + Charge[Own]);
  }
}
#pragma omp end declare target

static void iterate(int Tiles, int Iterations, const float *Charge, float *Old,
                    float *New) {
  constexpr int Tile = Side * Side;
  size_t Cells = size_t(Tiles) * size_t(Tiles) * Tile;
#pragma omp target parallel num_threads(Jacobi::Threads)                       \
    map(to : Charge[0 : Cells]) map(tofrom : Old[0 : Cells], New[0 : Cells])
#pragma omp single
  for (int Iteration = 0; Iteration < Iterations; ++Iteration) {
    for (int Own = 0; Own < Tiles * Tiles * Tile; Own += Tile) {
#pragma omp task firstprivate(Own) depend(in : New[Own : Tile])                \
    depend(out : Old[Own : Tile])
      copyTile(New + Own, Old + Own);
    }
    for (int I = 0; I < Tiles; ++I)
      for (int J = 0; J < Tiles; ++J) {
        int Own = (I * Tiles + J) * Tile;
        int Left = J > 0 ? Own - Tile : Own;
        int Right = J + 1 < Tiles ? Own + Tile : Own;
        int Up = I > 0 ? Own - Tiles * Tile : Own;
        int Down = I + 1 < Tiles ? Own + Tiles * Tile : Own;
#pragma omp task firstprivate(I, J)                                            \
    depend(in : Old[Own : Tile], Old[Left : Tile], Old[Right : Tile])          \
    depend(in : Old[Up : Tile], Old[Down : Tile])                              \
    depend(out : New[Own : Tile])
        computeTile(Tiles, I, J, Charge, Old, New);
      }
  }
}

int main(int Argc, char **Argv) {
  Run Run("jacobi", {{"tiles", 30, "tiles on a side", 1, 512},
                     {"iterations", 2, "iterations"}});
  Run.parse(Argc, Argv);
  Jacobi Problem(Run["tiles"], Run["iterations"]);
  int Tiles = Problem.Tiles, Iterations = Problem.Iterations;
  std::vector<float> Result = Problem.Start, Copy(Result.size());
  size_t Cells = Result.size();
  const float *Charge = Problem.Charge.data();
  float *Old = Copy.data(), *New = Result.data();
  Run.has(2ll * Tiles * Tiles * Iterations, Jacobi::Threads);

  Run.begin();
#pragma omp target data map(to : Charge[0 : Cells], Old[0 : Cells])            \
    map(tofrom : New[0 : Cells])
  while (Run.again()) {
    std::copy(Problem.Start.begin(), Problem.Start.end(), New);
#pragma omp target update to(New[0 : Cells], Old[0 : Cells])
    Run.start();
    iterate(Tiles, Iterations, Charge, Old, New);
    Run.stop();
    if (Run.keeps()) {
#pragma omp target update from(New[0 : Cells])
      Run.keep(Result);
    }
  }
  Run.end();
  if (Run.checks())
    Run.compare("potential", Result, Problem.reference());
  return Run.report(Result);
}
