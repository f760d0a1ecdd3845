// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gaussian elimination: a system of linear equations into triangular form. For
// each row but the last two launches: the multipliers of all rows below, then
// the elimination in what is below and to the right. Both grids shrink with the
// rest of the matrix, so their blocks move by one row and column each time.

#include "../common/Factors.h"
#include "../common/Program.h"

using namespace bench;

static constexpr int Line = 256, Tile = 16;

/// What each row below Pivot needs of that row.
__global__ void findMultipliers(int N, int Pivot, const float *A, float *M) {
  int Row = Pivot + 1 + blockIdx.x * Line + threadIdx.x;
  if (Row < N)
    M[Row * N + Pivot] = A[Row * N + Pivot] / A[Pivot * N + Pivot];
}

/// Takes the row Pivot, times their multipliers, from the rows below, in the
/// columns to its right; the first column of threads does so on the right side.
__global__ void eliminate(int N, int Pivot, const float *M, float *A,
                          float *B) {
  int Right = blockIdx.x * Tile + threadIdx.x;
  int Row = Pivot + 1 + blockIdx.y * Tile + threadIdx.y;
  int Column = Pivot + 1 + Right;
  if (Row >= N || Column >= N)
    return;
  float Factor = M[Row * N + Pivot];
  A[Row * N + Column] -= Factor * A[Pivot * N + Column];
  if (Right == 0)
    B[Row] -= Factor * B[Pivot];
}

/// A matrix with the right side as its last column.
static std::vector<float> augmented(int N, const std::vector<float> &A,
                                    const std::vector<float> &B) {
  std::vector<float> Result;
  Result.reserve(A.size() + B.size());
  for (int Row = 0; Row < N; ++Row) {
    auto Begin = A.begin() + size_t(Row) * N;
    Result.insert(Result.end(), Begin, Begin + N);
    Result.push_back(B[Row]);
  }
  return Result;
}

/// What the multipliers and the triangular system say that the system was
/// (Note [Backward error] in Factors.h; the right side is a column of U).
static std::vector<Rounded<float>> system(int N, const std::vector<float> &M,
                                          const std::vector<float> &A,
                                          const std::vector<float> &B) {
  return productOfFactors(N, N + 1, augmented(N, M, B), augmented(N, A, B));
}

/// With whole numbers everything is exact: a system made of its factors and
/// its solution, its right side from the rows of the system itself.
static void checkReference(Program &Run) {
  int N = 23;
  Random From(Run.seed());
  auto at = [&](int I, int J) { return size_t(I) * N + J; };
  std::vector<float> M(size_t(N) * N), U(M.size()), X(N), Y(N), A(M.size()),
      B(N);
  for (int I = 0; I < N; ++I) {
    X[I] = float(From.below(9)) - 4;
    for (int J = 0; J < N; ++J)
      (J < I ? M : U)[at(I, J)] = float(From.below(7)) - 3;
  }
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      A[at(I, J)] = U[at(I, J)];
      for (int T = 0; T < N; ++T)
        A[at(I, J)] += M[at(I, T)] * U[at(T, J)];
    }
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      B[I] += A[at(I, J)] * X[J];
      Y[I] += U[at(I, J)] * X[J];
    }
  std::vector<Rounded<float>> Want = system(N, M, U, Y);
  std::vector<float> Got = augmented(N, A, B), Exact;
  for (const Rounded<float> &Each : Want)
    Exact.push_back(float(Each.value()));
  Run.compare("a system of whole numbers", Got, Exact);
  Y[3] += 0.01f;
  Want = system(N, M, U, Y);
  size_t Place = size_t(3) * (N + 1) + N;
  Run.expect(std::fabs(Want[Place].value() - Got[Place]) > Want[Place].error(),
             "a wrong right side is found");
}

int main(int Argc, char **Argv) {
  Program Run("gaussian", "a system of equations into triangular form",
              {{"n", 256, "equations", 2}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]);
  Run.require(N <= 46300, "--n is at most 46300");
  Random From(Run.seed());
  std::vector<float> A = dominantMatrix(From, N);
  std::vector<float> B = randomVector<float>(From, N, -N, N);

  Array<float> DeviceA(A), DeviceB(B), DeviceM(A.size());
  Run.measure(
      [&] {
        DeviceA.upload(A);
        DeviceB.upload(B);
        DeviceM.clear();
      },
      [&] {
        for (int Pivot = 0; Pivot < N - 1; ++Pivot) {
          int Rest = N - 1 - Pivot;
          int Lines = (Rest + Line - 1) / Line,
              Tiles = (Rest + Tile - 1) / Tile;
          findMultipliers<<<Lines, Line>>>(N, Pivot, DeviceA, DeviceM);
          Run.launched("findMultipliers", Lines, Line);
          dim3 Grid(Tiles, Tiles), Block(Tile, Tile);
          eliminate<<<Grid, Block>>>(N, Pivot, DeviceM, DeviceA, DeviceB);
          Run.launched("eliminate", Grid, Block);
        }
      });

  Run.compare(
      "the system", augmented(N, A, B),
      system(N, DeviceM.download(), DeviceA.download(), DeviceB.download()));
  return Run.report();
}
