// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LU decomposition by tiles, right-looking, in place, without pivots. Every
// step factors the tile on the diagonal, solves for the tiles right of it and
// below it, and subtracts the products of those from all tiles that remain.
// The four kernels are the four tasks of Juggler's LU.

#include "../common/Factors.h"
#include "../common/Program.h"

using namespace bench;

static constexpr int Tile = 32;
static constexpr int Rows = 8; // of threads in an update, Tile / Rows each

/// A tile as one block sees it, an element for each thread; what lies outside
/// of the matrix continues it by the identity.
__device__ void loadTile(int N, int Row0, int Column0, const float *A,
                         float (*Into)[Tile + 1]) {
  for (int Y = threadIdx.y; Y < Tile; Y += blockDim.y) {
    int Row = Row0 + Y, Column = Column0 + threadIdx.x;
    float Outside = Row == Column ? 1.0f : 0.0f;
    Into[Y][threadIdx.x] =
        Row < N && Column < N ? A[Row * N + Column] : Outside;
  }
}

/// L and U of the tile at (K0, K0). L's diagonal is 1 and not kept.
__global__ void factorDiagonal(int N, int K0, float *A) {
  __shared__ float Own[Tile][Tile + 1];
  int X = threadIdx.x, Y = threadIdx.y;
  loadTile(N, K0, K0, A, Own);
  for (int I = 0; I < Tile - 1; ++I) {
    __syncthreads();
    if (X == I && Y > I)
      Own[Y][I] /= Own[I][I];
    __syncthreads();
    if (X > I && Y > I)
      Own[Y][X] -= Own[Y][I] * Own[I][X];
  }
  if (K0 + X < N && K0 + Y < N)
    A[(K0 + Y) * N + K0 + X] = Own[Y][X];
}

/// U right of the diagonal: a tile with L of the diagonal taken off its left.
__global__ void solveRight(int N, int K0, float *A) {
  __shared__ float Diagonal[Tile][Tile + 1], Own[Tile][Tile + 1];
  int X = threadIdx.x, Y = threadIdx.y;
  int Column0 = K0 + (blockIdx.x + 1) * Tile;
  loadTile(N, K0, K0, A, Diagonal);
  loadTile(N, K0, Column0, A, Own);
  for (int I = 0; I < Tile - 1; ++I) {
    __syncthreads();
    if (Y > I)
      Own[Y][X] -= Diagonal[Y][I] * Own[I][X];
  }
  if (K0 + Y < N && Column0 + X < N)
    A[(K0 + Y) * N + Column0 + X] = Own[Y][X];
}

/// L below the diagonal: a tile with U of the diagonal taken off its right.
__global__ void solveBelow(int N, int K0, float *A) {
  __shared__ float Diagonal[Tile][Tile + 1], Own[Tile][Tile + 1];
  int X = threadIdx.x, Y = threadIdx.y;
  int Row0 = K0 + (blockIdx.x + 1) * Tile;
  loadTile(N, K0, K0, A, Diagonal);
  loadTile(N, Row0, K0, A, Own);
  for (int I = 0; I < Tile; ++I) {
    __syncthreads();
    if (X == I)
      Own[Y][I] /= Diagonal[I][I];
    __syncthreads();
    if (X > I)
      Own[Y][X] -= Own[Y][I] * Diagonal[I][X];
  }
  if (Row0 + Y < N && K0 + X < N)
    A[(Row0 + Y) * N + K0 + X] = Own[Y][X];
}

/// Takes the product of a tile below and a tile right of the diagonal off the
/// tile in their row and column.
__global__ void updateRest(int N, int K0, float *A) {
  __shared__ float Below[Tile][Tile + 1], Right[Tile][Tile + 1];
  int Column0 = K0 + (blockIdx.x + 1) * Tile;
  int Row0 = K0 + (blockIdx.y + 1) * Tile;
  loadTile(N, Row0, K0, A, Below);
  loadTile(N, K0, Column0, A, Right);
  __syncthreads();

  float Sum[Tile / Rows] = {};
  for (int K = 0; K < Tile; ++K)
    for (int I = 0; I < Tile / Rows; ++I)
      Sum[I] += Below[threadIdx.y + I * Rows][K] * Right[K][threadIdx.x];
  int Column = Column0 + threadIdx.x;
  for (int I = 0; I < Tile / Rows; ++I) {
    int Row = Row0 + threadIdx.y + I * Rows;
    if (Row < N && Column < N)
      A[Row * N + Column] -= Sum[I];
  }
}

/// A matrix whose diagonal outweighs the rest of its row and column.
static std::vector<float> randomMatrix(Random &From, int N) {
  std::vector<float> A = randomVector<float>(From, size_t(N) * N, -1, 1);
  for (size_t I = 0; I < size_t(N); ++I)
    A[I * N + I] += float(N);
  return A;
}

/// Factors of ones make the matrix of min(i, j) + 1; and what the textbook's
/// three loops make of a random matrix is within the bound.
static void checkReference(Program &Run) {
  int N = 61;
  std::vector<float> Least(size_t(N) * N);
  for (int I = 0; I < N * N; ++I)
    Least[I] = float(std::min(I / N, I % N) + 1);
  std::vector<float> Ones(Least.size(), 1);
  std::vector<Rounded<float>> Want = productOfFactors(N, N, Ones, Ones);
  for (int I = 0; I < N * N; ++I)
    Run.expect(Want[I].value() == Least[I], "factors of ones");

  Random From(Run.seed());
  std::vector<float> A = randomMatrix(From, N), Factors = A;
  for (int K = 0; K < N; ++K)
    for (int I = K + 1; I < N; ++I) {
      float Factor = Factors[I * N + K] /= Factors[K * N + K];
      for (int J = K + 1; J < N; ++J)
        Factors[I * N + J] -= Factor * Factors[K * N + J];
    }
  Run.compare("three loops", A, productOfFactors(N, N, Factors, Factors));
}

int main(int Argc, char **Argv) {
  Program Run("lu", "LU decomposition by tiles",
              {{"n", 480, "rows of the matrix"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]);
  Run.require(N <= 32768, "--n is at most 32768");
  Random From(Run.seed());
  std::vector<float> Start = randomMatrix(From, N);

  Array<float> A(Start.size());
  dim3 Square(Tile, Tile), Flat(Tile, Rows);
  Run.measure([&] { A.upload(Start); },
              [&] {
                for (int K0 = 0; K0 < N; K0 += Tile) {
                  unsigned Rest = (N - K0 - 1) / Tile;
                  factorDiagonal<<<1, Square>>>(N, K0, A);
                  Run.launched("factorDiagonal", 1, Square);
                  if (Rest == 0)
                    break;
                  solveRight<<<Rest, Square>>>(N, K0, A);
                  Run.launched("solveRight", Rest, Square);
                  solveBelow<<<Rest, Square>>>(N, K0, A);
                  Run.launched("solveBelow", Rest, Square);
                  dim3 Grid(Rest, Rest);
                  updateRest<<<Grid, Flat>>>(N, K0, A);
                  Run.launched("updateRest", Grid, Flat);
                }
              });

  std::vector<float> Factors = A.download();
  Run.compare("L U", Start, productOfFactors(N, N, Factors, Factors));
  return Run.report();
}
