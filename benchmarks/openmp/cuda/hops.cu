// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of tiles that do next to nothing: by anti-diagonals, or,
// where none waits, all at once.

#include "../problems/Hops.h"
#include "Waves.h"

using namespace tasks;

struct Work {
  static constexpr int Kinds = 1;
  enum : int { Threads = Hops::Threads, Size = Hops::Side * Hops::Side };
  int Tiles;
  bool Free;
  int *Count;

  __host__ __device__ int waves() const { return Free ? 1 : 2 * Tiles - 1; }
  __host__ __device__ int kind(int) const { return 0; }
  __host__ __device__ int blocks(int Wave) const {
    return Free ? Tiles * Tiles : antiDiagonal(Tiles, Wave).Count;
  }

  template <int> __device__ void tile(int Wave, int Block) const {
    int I = Free ? Block / Tiles : antiDiagonal(Tiles, Wave).Row + Block;
    int J = Free ? Block % Tiles : Wave - I, Cell = int(threadIdx.x);
    if (Cell >= Size)
      return;
    int *Own = Count + (I * Tiles + J) * Size + Cell;
    int A = J > 0 && !Free ? Own[-Size] : 0;
    int B = I > 0 && !Free ? Own[-Tiles * Size] : 0;
    *Own = 1 + max(A, B);
  }
};

int main(int Argc, char **Argv) {
  Run Run("hops",
          {{"tiles", 90, "tiles on a side", 1, 1024},
           {"free", 0, "1: no tile waits for another", 0, 1}},
          waysOfWaves());
  Run.parse(Argc, Argv);
  Hops Problem(Run["tiles"], Run["free"]);
  bench::Array<int> Count(Problem.Start.size());
  Work Work{Problem.Tiles, Problem.Free, Count};
  std::vector<int> Result = measure(Run, Work, Problem.Start, Count);
  if (Run.checks())
    Run.compare("hops", Result, Problem.reference());
  return Run.report(Result);
}
