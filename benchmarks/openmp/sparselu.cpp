// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LU decomposition of a matrix of blocks, most of which are absent. The
// region's loops ask which there are; no task changes that.

#include "problems/SparseLu.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = SparseLu::Side;

/// L and U of a diagonal tile; L's diagonal is 1 and not kept.
static void lu0(float *Diagonal) {
#pragma omp parallel
  for (int K = 0; K < Side - 1; ++K) {
#pragma omp for
    for (int Y = K + 1; Y < Side; ++Y)
      Diagonal[Y * Side + K] /= Diagonal[K * Side + K];
#pragma omp for
    for (int Cell = 0; Cell < Side * Side; ++Cell) {
      int Y = Cell / Side, X = Cell % Side;
      if (Y > K && X > K)
        Diagonal[Cell] -= Diagonal[Y * Side + K] * Diagonal[K * Side + X];
    }
  }
}

/// Takes L of the diagonal tile off the left of a tile; a thread has a column.
static void fwd(const float *Diagonal, float *Right) {
#pragma omp parallel for
  for (int X = 0; X < Side; ++X)
    for (int K = 0; K < Side - 1; ++K)
      for (int Y = K + 1; Y < Side; ++Y)
        Right[Y * Side + X] -= Diagonal[Y * Side + K] * Right[K * Side + X];
}

/// Takes U of the diagonal tile off the right of a tile; a thread has a row.
static void bdiv(const float *Diagonal, float *Below) {
#pragma omp parallel for
  for (int Y = 0; Y < Side; ++Y)
    for (int K = 0; K < Side; ++K) {
      float Factor = Below[Y * Side + K] /= Diagonal[K * Side + K];
      for (int X = K + 1; X < Side; ++X)
        Below[Y * Side + X] -= Factor * Diagonal[K * Side + X];
    }
}

/// Takes a product off a tile.
static void bmod(const float *Below, const float *Right, float *Own) {
#pragma omp parallel for
  for (int Cell = 0; Cell < Side * Side; ++Cell) {
    float Sum = 0;
    for (int K = 0; K < Side; ++K)
      Sum += Below[Cell / Side * Side + K] * Right[K * Side + Cell % Side];
    Own[Cell] -= Sum;
  }
}
#pragma omp end declare target

/// Where has the number of each block, or -1.
static void factor(int Blocks, size_t Cells, const int *Where, float *A) {
  constexpr int Size = Side * Side;
#pragma omp target parallel num_threads(SparseLu::Threads)                     \
    map(to : Where[0 : Blocks * Blocks]) map(tofrom : A[0 : Cells])
#pragma omp single
  for (int K = 0; K < Blocks; ++K) {
    float *Diagonal = A + Where[K * Blocks + K] * Size;
#pragma omp task firstprivate(Diagonal) depend(inout : Diagonal[0 : Size])
    lu0(Diagonal);
    for (int J = K + 1; J < Blocks; ++J) {
      if (Where[K * Blocks + J] < 0)
        continue;
      float *Right = A + Where[K * Blocks + J] * Size;
#pragma omp task firstprivate(Diagonal, Right) depend(in : Diagonal[0 : Size]) \
    depend(inout : Right[0 : Size])
      fwd(Diagonal, Right);
    }
    for (int I = K + 1; I < Blocks; ++I) {
      if (Where[I * Blocks + K] < 0)
        continue;
      float *Below = A + Where[I * Blocks + K] * Size;
#pragma omp task firstprivate(Diagonal, Below) depend(in : Diagonal[0 : Size]) \
    depend(inout : Below[0 : Size])
      bdiv(Diagonal, Below);
    }
    for (int I = K + 1; I < Blocks; ++I)
      for (int J = K + 1; J < Blocks; ++J) {
        if (Where[I * Blocks + K] < 0 || Where[K * Blocks + J] < 0)
          continue;
        float *Below = A + Where[I * Blocks + K] * Size;
        float *Right = A + Where[K * Blocks + J] * Size;
        float *Own = A + Where[I * Blocks + J] * Size;
#pragma omp task firstprivate(Below, Right, Own)                               \
    depend(in : Below[0 : Size], Right[0 : Size])                              \
    depend(inout : Own[0 : Size])
        bmod(Below, Right, Own);
      }
  }
}

int main(int Argc, char **Argv) {
  Run Run("sparselu", {{"tiles", 40, "blocks on a side", 1, 512}});
  Run.parse(Argc, Argv);
  SparseLu Problem(Run["tiles"]);
  std::vector<float> Result = Problem.Start;
  size_t Cells = Result.size();
  float *A = Result.data();
  const int *Where = Problem.Where.data();
  int Blocks = Problem.Blocks;
  Run.has(Problem.tasks(), SparseLu::Threads);

  Run.begin();
#pragma omp target data map(tofrom : A[0 : Cells])                             \
    map(to : Where[0 : Blocks * Blocks])
  while (Run.again()) {
    std::copy(Problem.Start.begin(), Problem.Start.end(), A);
#pragma omp target update to(A[0 : Cells])
    Run.start();
    factor(Blocks, Cells, Where, A);
    Run.stop();
    if (Run.keeps()) {
#pragma omp target update from(A[0 : Cells])
      Run.keep(Result);
    }
  }
  Run.end();
  if (Run.checks())
    Problem.check(Run, Result);
  return Run.report(Result);
}
