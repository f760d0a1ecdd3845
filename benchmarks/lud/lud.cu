// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LUD: a matrix in place into a lower and an upper triangular factor, by tiles.
// For each tile of the diagonal three launches: the tile itself, the tiles to
// its right and below it, then all tiles beyond those. A tile of a later step
// waits only for its own row and column of tiles.

#include "../common/Factors.h"
#include "../common/Program.h"

using namespace bench;

static constexpr int Tile = 16;

using TileOf = float[Tile][Tile];

/// The element of a matrix that continues with ones on its diagonal.
static __device__ float element(int N, const float *A, int Row, int Column) {
  if (Row < N && Column < N)
    return A[Row * N + Column];
  return Row == Column ? 1.0f : 0.0f;
}

static __device__ void setElement(int N, float *A, int Row, int Column,
                                  float Value) {
  if (Row < N && Column < N)
    A[Row * N + Column] = Value;
}

/// Factors the tile at Start; one block.
__global__ void factorDiagonal(int N, int Start, float *A) {
  __shared__ TileOf Own;
  int X = threadIdx.x, Y = threadIdx.y;
  Own[Y][X] = element(N, A, Start + Y, Start + X);
  for (int K = 0; K < Tile - 1; ++K) {
    __syncthreads();
    if (X == K && Y > K)
      Own[Y][K] /= Own[K][K];
    __syncthreads();
    if (X > K && Y > K)
      Own[Y][X] -= Own[Y][K] * Own[K][X];
  }
  setElement(N, A, Start + Y, Start + X, Own[Y][X]);
}

/// Block B solves tile B + 1 to the right of the diagonal's with its first
/// threads, a column each, and tile B + 1 below with the others, a row each.
__global__ void solvePerimeter(int N, int Start, float *A) {
  __shared__ TileOf Diagonal, Right, Below;
  int X = threadIdx.x % Tile;
  bool Upper = threadIdx.x < Tile;
  int Far = Start + (blockIdx.x + 1) * Tile;
  for (int Y = Upper ? 0 : 1; Y < Tile; Y += 2) {
    Diagonal[Y][X] = element(N, A, Start + Y, Start + X);
    Right[Y][X] = element(N, A, Start + Y, Far + X);
    Below[Y][X] = element(N, A, Far + Y, Start + X);
  }
  __syncthreads();
  if (Upper) {
    for (int Y = 1; Y < Tile; ++Y)
      for (int K = 0; K < Y; ++K)
        Right[Y][X] -= Diagonal[Y][K] * Right[K][X];
  } else {
    for (int Y = 0; Y < Tile; ++Y) {
      for (int K = 0; K < Y; ++K)
        Below[X][Y] -= Below[X][K] * Diagonal[K][Y];
      Below[X][Y] /= Diagonal[Y][Y];
    }
  }
  __syncthreads();
  for (int Y = Upper ? 0 : 1; Y < Tile; Y += 2) {
    setElement(N, A, Start + Y, Far + X, Right[Y][X]);
    setElement(N, A, Far + Y, Start + X, Below[Y][X]);
  }
}

/// Takes from each tile beyond the perimeter the product of the perimeter's
/// tiles in its row and its column.
__global__ void updateInternal(int N, int Start, float *A) {
  __shared__ TileOf Left, Above;
  int X = threadIdx.x, Y = threadIdx.y;
  int Row = Start + (blockIdx.y + 1) * Tile + Y;
  int Column = Start + (blockIdx.x + 1) * Tile + X;
  Left[Y][X] = element(N, A, Row, Start + X);
  Above[Y][X] = element(N, A, Start + Y, Column);
  __syncthreads();
  float Sum = 0;
  for (int K = 0; K < Tile; ++K)
    Sum += Left[Y][K] * Above[K][X];
  setElement(N, A, Row, Column, element(N, A, Row, Column) - Sum);
}

static void factor(Program &Run, int N, float *A) {
  dim3 Square(Tile, Tile), Pair(2 * Tile);
  for (int Start = 0; Start < N; Start += Tile) {
    factorDiagonal<<<1, Square>>>(N, Start, A);
    Run.launched("factorDiagonal", 1, Square);
    int Rest = (N - 1 - Start) / Tile;
    if (Rest == 0)
      break;
    solvePerimeter<<<Rest, Pair>>>(N, Start, A);
    Run.launched("solvePerimeter", Rest, Pair);
    updateInternal<<<dim3(Rest, Rest), Square>>>(N, Start, A);
    Run.launched("updateInternal", dim3(Rest, Rest), Square);
  }
}

/// The smaller of row and column, counted from 1, has factors of ones. Another
/// way of factoring, by rows of U and columns of L in turn, is within the
/// bounds of its matrix, and is no more with one number wrong.
static void checkReference(Program &Run) {
  int N = 37;
  std::vector<float> Ones(size_t(N) * N, 1), Least;
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      Least.push_back(float(std::min(I, J) + 1));
  Run.compare("ones", Least, productOfFactors(N, N, Ones, Ones));

  Random From(Run.seed());
  std::vector<float> A = dominantMatrix(From, N), Factors = A;
  auto at = [&](int I, int J) -> float & { return Factors[size_t(I) * N + J]; };
  for (int K = 0; K < N; ++K) {
    for (int J = K; J < N; ++J)
      for (int T = 0; T < K; ++T)
        at(K, J) -= at(K, T) * at(T, J);
    for (int I = K + 1; I < N; ++I) {
      for (int T = 0; T < K; ++T)
        at(I, K) -= at(I, T) * at(T, K);
      at(I, K) /= at(K, K);
    }
  }
  Run.compare("by rows and columns", A,
              productOfFactors(N, N, Factors, Factors));
  for (int Place : {5 * N + 20, 20 * N + 5, 11 * N + 11}) {
    std::vector<float> Wrong = Factors;
    Wrong[Place] *= 1.001f;
    std::vector<Rounded<float>> Want = productOfFactors(N, N, Wrong, Wrong);
    Run.expect(std::fabs(Want[Place].value() - A[Place]) > Want[Place].error(),
               "a wrong factor is found");
  }
}

int main(int Argc, char **Argv) {
  Program Run("lud", "a matrix into a lower and an upper triangular factor",
              {{"n", 256, "rows and columns"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]);
  Run.require(N <= 46300, "--n is at most 46300");
  Random From(Run.seed());
  std::vector<float> A = dominantMatrix(From, N);
  Array<float> DeviceA(A.size());
  Run.measure([&] { DeviceA.upload(A); }, [&] { factor(Run, N, DeviceA); });

  std::vector<float> Factors = DeviceA.download();
  Run.compare("the matrix", A, productOfFactors(N, N, Factors, Factors));
  return Run.report();
}
