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
__device__ void findMultiplier(uint3 Block, uint3 Thread, int N, int Pivot,
                               const float *A, float *M) {
  int Row = Pivot + 1 + Block.x * Line + Thread.x;
  if (Row < N)
    M[Row * N + Pivot] = A[Row * N + Pivot] / A[Pivot * N + Pivot];
}

__global__ void findMultipliers(int N, int Pivot, const float *A, float *M) {
  findMultiplier(blockIdx, threadIdx, N, Pivot, A, M);
}

/// Takes the row Pivot, times their multipliers, from the rows below, in the
/// columns to its right; the first column of threads does so on the right side.
__device__ void eliminateCell(uint3 Block, uint3 Thread, int N, int Pivot,
                              const float *M, float *A, float *B) {
  int Right = Block.x * Tile + Thread.x;
  int Row = Pivot + 1 + Block.y * Tile + Thread.y;
  int Column = Pivot + 1 + Right;
  if (Row >= N || Column >= N)
    return;
  float Factor = M[Row * N + Pivot];
  A[Row * N + Column] -= Factor * A[Pivot * N + Column];
  if (Right == 0)
    B[Row] -= Factor * B[Pivot];
}

__global__ void eliminate(int N, int Pivot, const float *M, float *A,
                          float *B) {
  eliminateCell(blockIdx, threadIdx, N, Pivot, M, A, B);
}

/// The grids of a pivot's two launches.
struct Grids {
  dim3 Lines, Tiles;
};
__host__ __device__ static Grids gridsOf(int N, int Pivot) {
  int Rest = N - 1 - Pivot, Tiles = (Rest + Tile - 1) / Tile;
  return {dim3((Rest + Line - 1) / Line), dim3(Tiles, Tiles)};
}

/// All pivots, for one cooperative grid of blocks of Line threads, which are
/// those of a tile too.
struct EliminateAll {
  int N;
  float *A, *B, *M;

  __device__ void operator()() const {
    static_assert(Line == Tile * Tile);
    uint3 InTile{threadIdx.x % Tile, threadIdx.x / Tile, 0};
    for (int Pivot = 0; Pivot < N - 1; ++Pivot) {
      Grids Each = gridsOf(N, Pivot);
      forBlocks(Each.Lines, [&](uint3 Block) {
        findMultiplier(Block, threadIdx, N, Pivot, A, M);
      });
      syncGrid();
      forBlocks(Each.Tiles, [&](uint3 Block) {
        eliminateCell(Block, InTile, N, Pivot, M, A, B);
      });
      syncGrid();
    }
  }
};

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
  Run.placedByHand();
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
        if (Run.cooperates()) {
          EliminateAll All{N, DeviceA, DeviceB, DeviceM};
          return Run.launchWhole(All, gridsOf(N, 0).Tiles, Line);
        }
        dim3 Block(Tile, Tile);
        for (int Pivot = 0; Pivot < N - 1; ++Pivot) {
          auto [Lines, Tiles] = gridsOf(N, Pivot);
          if (Run.waits())
            Waiting<findMultiplier>::launch(Lines, Line, N, Pivot, DeviceA,
                                            DeviceM);
          else
            findMultipliers<<<Lines, Line>>>(N, Pivot, DeviceA, DeviceM);
          Run.launched("findMultipliers", Lines, Line);
          if (Run.waits())
            Waiting<eliminateCell>::launch(Tiles, Block, N, Pivot, DeviceM,
                                           DeviceA, DeviceB);
          else
            eliminate<<<Tiles, Block>>>(N, Pivot, DeviceM, DeviceA, DeviceB);
          Run.launched("eliminate", Tiles, Block);
        }
      });

  Run.compare(
      "the system", augmented(N, A, B),
      system(N, DeviceM.download(), DeviceA.download(), DeviceB.download()));
  return Run.report();
}
