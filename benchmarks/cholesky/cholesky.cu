// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Cholesky decomposition by tiles, right-looking, in place in the lower half of
// a symmetric matrix. Every step factors the tile on the diagonal (potrf),
// solves for the tiles below it (trsm), and takes their products off the
// remaining tiles on the diagonal (syrk) and below it (gemm).

#include "../common/Factors.h"
#include "../common/Program.h"

using namespace bench;

static constexpr int Tile = 32;
static constexpr int Rows = 8; // of threads in an update, Tile / Rows each

/// A tile as one block sees it; what lies outside of the matrix continues it by
/// the identity.
__device__ void loadTile(int N, int Row0, int Column0, const double *A,
                         double (*Into)[Tile + 1]) {
  for (int Y = threadIdx.y; Y < Tile; Y += blockDim.y) {
    int Row = Row0 + Y, Column = Column0 + threadIdx.x;
    double Outside = Row == Column ? 1.0 : 0.0;
    Into[Y][threadIdx.x] =
        Row < N && Column < N ? A[Row * N + Column] : Outside;
  }
}

/// L of the tile at (K0, K0).
__global__ void factorDiagonal(int N, int K0, double *A) {
  __shared__ double Own[Tile][Tile + 1];
  int X = threadIdx.x, Y = threadIdx.y;
  loadTile(N, K0, K0, A, Own);
  for (int I = 0; I < Tile; ++I) {
    __syncthreads();
    if (X == I && Y == I)
      Own[I][I] = sqrt(Own[I][I]);
    __syncthreads();
    if (X == I && Y > I)
      Own[Y][I] /= Own[I][I];
    __syncthreads();
    if (X > I && Y >= X)
      Own[Y][X] -= Own[Y][I] * Own[X][I];
  }
  if (X <= Y && K0 + Y < N)
    A[(K0 + Y) * N + K0 + X] = Own[Y][X];
}

/// L below the diagonal: a tile with the transposed diagonal tile taken off its
/// right.
__global__ void solveBelow(int N, int K0, double *A) {
  __shared__ double Diagonal[Tile][Tile + 1], Own[Tile][Tile + 1];
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
      Own[Y][X] -= Own[Y][I] * Diagonal[X][I];
  }
  if (Row0 + Y < N)
    A[(Row0 + Y) * N + K0 + X] = Own[Y][X];
}

/// One thread's part of the product of a tile and another one transposed.
__device__ void multiply(const double (*One)[Tile + 1],
                         const double (*Other)[Tile + 1],
                         double (&Sum)[Tile / Rows]) {
  for (int K = 0; K < Tile; ++K)
    for (int I = 0; I < Tile / Rows; ++I)
      Sum[I] += One[threadIdx.y + I * Rows][K] * Other[threadIdx.x][K];
}

/// Takes the product of a tile below the diagonal and itself off the diagonal
/// tile of its row.
__global__ void updateDiagonal(int N, int K0, double *A) {
  __shared__ double Below[Tile][Tile + 1];
  int Row0 = K0 + (blockIdx.x + 1) * Tile;
  loadTile(N, Row0, K0, A, Below);
  __syncthreads();

  double Sum[Tile / Rows] = {};
  multiply(Below, Below, Sum);
  int X = threadIdx.x;
  for (int I = 0; I < Tile / Rows; ++I) {
    int Y = threadIdx.y + I * Rows;
    if (X <= Y && Row0 + Y < N)
      A[(Row0 + Y) * N + Row0 + X] -= Sum[I];
  }
}

/// Takes the product of two tiles below the diagonal off the tile in the row of
/// the lower and the column of the upper one.
__global__ void updateBelow(int N, int K0, double *A) {
  __shared__ double Lower[Tile][Tile + 1], Upper[Tile][Tile + 1];
  if (blockIdx.x > blockIdx.y)
    return;
  int Row0 = K0 + (blockIdx.y + 2) * Tile;
  int Column0 = K0 + (blockIdx.x + 1) * Tile;
  loadTile(N, Row0, K0, A, Lower);
  loadTile(N, Column0, K0, A, Upper);
  __syncthreads();

  double Sum[Tile / Rows] = {};
  multiply(Lower, Upper, Sum);
  for (int I = 0; I < Tile / Rows; ++I) {
    int Row = Row0 + threadIdx.y + I * Rows;
    if (Row < N)
      A[Row * N + Column0 + threadIdx.x] -= Sum[I];
  }
}

/// L times its transposed self; only the lower half of \p L is read.
static std::vector<Rounded<double>> squared(int N,
                                            const std::vector<double> &L) {
  std::vector<double> Transposed(L.size());
  parallelFor(N, [&](size_t Row) {
    for (size_t X = Row; X < size_t(N); ++X)
      Transposed[Row * N + X] = L[X * N + Row];
  });
  return product<double>(
      N, N, [&](size_t Row, size_t K) { return L[Row * size_t(N) + K]; },
      Transposed);
}

/// A symmetric matrix whose diagonal outweighs the rest of its row.
static std::vector<double> randomMatrix(Random &From, int N) {
  std::vector<double> A = randomVector<double>(From, size_t(N) * N, -1, 1);
  for (size_t Y = 0; Y < size_t(N); ++Y) {
    A[Y * N + Y] += N;
    for (size_t X = Y + 1; X < size_t(N); ++X)
      A[Y * N + X] = A[X * N + Y];
  }
  return A;
}

/// Pascal's triangle squared is the symmetric matrix of binomials; and what the
/// textbook's loops make of a random matrix is within the bound.
static void checkReference(Program &Run) {
  int N = 24;
  std::vector<double> Triangle(N * N), Binomials(N * N, 1);
  for (int Y = 0; Y < N; ++Y)
    for (int X = 0; X < N; ++X) {
      if (X == 0 || X == Y)
        Triangle[Y * N + X] = 1;
      else if (X < Y)
        Triangle[Y * N + X] =
            Triangle[(Y - 1) * N + X - 1] + Triangle[(Y - 1) * N + X];
      if (X > 0 && Y > 0)
        Binomials[Y * N + X] =
            Binomials[(Y - 1) * N + X] + Binomials[Y * N + X - 1];
    }
  std::vector<Rounded<double>> Square = squared(N, Triangle);
  for (int I = 0; I < N * N; ++I)
    Run.expect(double(Square[I].value()) == Binomials[I], "Pascal's triangle");

  Random From(Run.seed());
  std::vector<double> A = randomMatrix(From, N), L(N * N);
  for (int Y = 0; Y < N; ++Y)
    for (int X = 0; X <= Y; ++X) {
      double Rest = A[Y * N + X];
      for (int K = 0; K < X; ++K)
        Rest -= L[Y * N + K] * L[X * N + K];
      L[Y * N + X] = X == Y ? std::sqrt(Rest) : Rest / L[X * N + X];
    }
  Run.compare("three loops", A, squared(N, L));
}

int main(int Argc, char **Argv) {
  Program Run("cholesky", "Cholesky decomposition by tiles",
              {{"n", 1024, "rows of the matrix"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]);
  Run.require(N <= 32768, "--n is at most 32768");
  Random From(Run.seed());
  std::vector<double> Start = randomMatrix(From, N);

  Array<double> A(Start.size());
  dim3 Square(Tile, Tile), Flat(Tile, Rows);
  Run.measure([&] { A.upload(Start); },
              [&] {
                for (int K0 = 0; K0 < N; K0 += Tile) {
                  unsigned Rest = (N - K0 - 1) / Tile;
                  factorDiagonal<<<1, Square>>>(N, K0, A);
                  Run.launched("factorDiagonal", 1, Square);
                  if (Rest == 0)
                    break;
                  solveBelow<<<Rest, Square>>>(N, K0, A);
                  Run.launched("solveBelow", Rest, Square);
                  updateDiagonal<<<Rest, Flat>>>(N, K0, A);
                  Run.launched("updateDiagonal", Rest, Flat);
                  if (Rest == 1)
                    continue;
                  dim3 Grid(Rest - 1, Rest - 1);
                  updateBelow<<<Grid, Flat>>>(N, K0, A);
                  Run.launched("updateBelow", Grid, Flat);
                }
              });

  std::vector<double> L = A.download();
  Run.compare("L L^T", Start, squared(N, L));
  bool Kept = true;
  for (size_t Y = 0; Y < size_t(N); ++Y)
    for (size_t X = Y + 1; X < size_t(N); ++X)
      Kept &= L[Y * N + X] == Start[Y * N + X];
  Run.expect(Kept, "the upper half stays as it was");
  return Run.report();
}
