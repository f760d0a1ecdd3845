// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The CUDA baseline of the sparse LU: four launches a step, of the blocks that
// are there.

#include "../problems/SparseLu.h"
#include "Lu.h"
#include "Waves.h"

using namespace tasks;

/// The blocks that a tile uses: where they begin, in numbers.
struct Blocks {
  int First, Second, Own;
};

struct Work {
  static constexpr int Kinds = 4; // lu0, fwd, bdiv, bmod
  enum : int { Threads = SparseLu::Threads, Side = SparseLu::Side };
  int Waves;
  const int *Begins; // By wave, and one more: where its blocks begin in Uses.
  const int *BeginsOfHost;
  const Blocks *Uses;
  float *A;

  __host__ __device__ int waves() const { return Waves; }
  __host__ __device__ int kind(int Wave) const { return Wave % 4; }
  __host__ __device__ int blocks(int Wave) const {
#ifdef __CUDA_ARCH__
    return Begins[Wave + 1] - Begins[Wave];
#else
    return BeginsOfHost[Wave + 1] - BeginsOfHost[Wave];
#endif
  }

  template <int Kind> __device__ void tile(int Wave, int Block) const {
    Blocks Use = Uses[Begins[Wave] + Block];
    if constexpr (Kind == 0)
      lu0<Side>(A + Use.Own);
    else if constexpr (Kind == 1)
      fwd<Side>(A + Use.First, A + Use.Own);
    else if constexpr (Kind == 2)
      bdiv<Side>(A + Use.First, A + Use.Own);
    else
      bmod<Side>(A + Use.First, A + Use.Second, A + Use.Own);
  }
};

/// What the waves use, and where each begins.
struct Plan {
  explicit Plan(const SparseLu &Problem) {
    int N = Problem.Blocks;
    auto At = [&](int I, int J) {
      return Problem.Where[size_t(I) * N + J] * Work::Side * Work::Side;
    };
    for (int K = 0; K < N; ++K) {
      add({0, 0, At(K, K)});
      close();
      for (int J = K + 1; J < N; ++J)
        if (Problem.has(K, J))
          add({At(K, K), 0, At(K, J)});
      close();
      for (int I = K + 1; I < N; ++I)
        if (Problem.has(I, K))
          add({At(K, K), 0, At(I, K)});
      close();
      for (int I = K + 1; I < N; ++I)
        for (int J = K + 1; J < N; ++J)
          if (Problem.has(I, K) && Problem.has(K, J))
            add({At(I, K), At(K, J), At(I, J)});
      close();
    }
  }
  void add(Blocks Use) { Uses.push_back(Use); }
  void close() { Begins.push_back(int(Uses.size())); }

  std::vector<Blocks> Uses;
  std::vector<int> Begins = {0};
};

int main(int Argc, char **Argv) {
  Run Run("sparselu", {{"tiles", 40, "blocks on a side", 1, 512}},
          waysOfWaves());
  Run.parse(Argc, Argv);
  SparseLu Problem(Run["tiles"]);
  Plan Plan(Problem);
  bench::Array<float> A(Problem.Start.size());
  bench::Array<int> Begins(Plan.Begins);
  bench::Array<Blocks> Uses(Plan.Uses);
  Work Work{int(Plan.Begins.size()) - 1, Begins, Plan.Begins.data(), Uses, A};
  std::vector<float> Result = measure(Run, Work, Problem.Start, A);
  if (Run.checks())
    Problem.check(Run, Result);
  return Run.report(Result);
}
