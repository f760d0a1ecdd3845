// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of LU-D: the four launches of a step of the paper's Listing
// 1.

#include "../problems/LuD.h"
#include "Lu.h"
#include "Waves.h"

using namespace tasks;

struct Work {
  static constexpr int Kinds = 4; // lu0, fwd, bdiv, bmod
  enum : int { Threads = LuD::Threads, Side = LuD::Side };
  int Tiles;
  float *A;

  __host__ __device__ int waves() const { return 4 * Tiles - 3; }
  __host__ __device__ int kind(int Wave) const { return Wave % 4; }
  __host__ __device__ int blocks(int Wave) const {
    int Rest = Tiles - Wave / 4 - 1;
    return Wave % 4 == 0 ? 1 : Wave % 4 == 3 ? Rest * Rest : Rest;
  }
  __device__ float *at(int I, int J) const {
    return A + (I * Tiles + J) * Side * Side;
  }

  template <int Kind> __device__ void tile(int Wave, int Block) const {
    int K = Wave / 4, Rest = Tiles - K - 1, Next = K + 1 + Block;
    if constexpr (Kind == 0)
      lu0<Side>(at(K, K));
    else if constexpr (Kind == 1)
      fwd<Side>(at(K, K), at(K, Next));
    else if constexpr (Kind == 2)
      bdiv<Side>(at(K, K), at(Next, K));
    else {
      int I = K + 1 + Block / Rest, J = K + 1 + Block % Rest;
      bmod<Side>(at(I, K), at(K, J), at(I, J));
    }
  }
};

int main(int Argc, char **Argv) {
  Run Run("lud", {{"tiles", 15, "tiles on a side", 1, 512}}, waysOfWaves());
  Run.parse(Argc, Argv);
  LuD Problem(Run["tiles"]);
  bench::Array<float> A(Problem.Start.size());
  Work Work{Problem.Tiles, A};
  std::vector<float> Result = measure(Run, Work, Problem.Start, A);
  if (Run.checks())
    Problem.check(Run, Result);
  return Run.report(Result);
}
