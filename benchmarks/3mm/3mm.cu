// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 3MM: the product of two products of matrices, G = (A B) (C D), one launch
// for each product. The first two are independent of each other; a block of
// the third needs a row of blocks of the first and a column of the second's.

#include "../common/Program.h"

using namespace bench;

static constexpr int Tile = 16;

/// Z = X Y with X of Rows times Inner and Y of Inner times Columns numbers.
__global__ void multiply(int Rows, int Inner, int Columns, const float *X,
                         const float *Y, float *Z) {
  __shared__ float Left[Tile][Tile], Right[Tile][Tile];
  int Row = blockIdx.y * Tile + threadIdx.y;
  int Column = blockIdx.x * Tile + threadIdx.x;
  float Sum = 0;
  for (int Begin = 0; Begin < Inner; Begin += Tile) {
    int Across = Begin + threadIdx.x, Down = Begin + threadIdx.y;
    Left[threadIdx.y][threadIdx.x] =
        Row < Rows && Across < Inner ? X[Row * Inner + Across] : 0;
    Right[threadIdx.y][threadIdx.x] =
        Down < Inner && Column < Columns ? Y[Down * Columns + Column] : 0;
    __syncthreads();
    for (int K = 0; K < Tile; ++K)
      Sum += Left[threadIdx.y][K] * Right[K][threadIdx.x];
    __syncthreads();
  }
  if (Row < Rows && Column < Columns)
    Z[Row * Columns + Column] = Sum;
}

struct Matrix {
  int Rows, Columns;
  std::vector<double> Values;

  Matrix(int Rows, int Columns)
      : Rows(Rows), Columns(Columns), Values(size_t(Rows) * Columns) {}
  Matrix(int Rows, int Columns, const std::vector<float> &From)
      : Rows(Rows), Columns(Columns), Values(From.begin(), From.end()) {}
};

/// The product; a few rows together, so that rows of Y are used while near.
static Matrix operator*(const Matrix &X, const Matrix &Y) {
  constexpr int Together = 8;
  Matrix Z(X.Rows, Y.Columns);
  parallelFor((X.Rows + Together - 1) / Together, [&](size_t Which) {
    int Begin = int(Which) * Together;
    int End = std::min(Begin + Together, X.Rows);
    for (int K = 0; K < X.Columns; ++K) {
      const double *From = Y.Values.data() + size_t(K) * Y.Columns;
      for (int Row = Begin; Row < End; ++Row) {
        double *To = Z.Values.data() + size_t(Row) * Z.Columns;
        double Factor = X.Values[size_t(Row) * X.Columns + K];
        for (int Column = 0; Column < Z.Columns; ++Column)
          To[Column] += Factor * From[Column];
      }
    }
  });
  return Z;
}

/// What floats may give for a matrix of sums of products, no term negative,
/// of which each was rounded Roundings times at most. Without cancellation the
/// bound of a term relative to its value is that of the sum. The double
/// precision of the values is covered by one rounding more.
static std::vector<Rounded<float>> bounded(const Matrix &M, double Roundings) {
  std::vector<Rounded<float>> Result;
  double Relative = gamma<float>(Roundings + 1);
  for (double Each : M.Values)
    Result.push_back(Rounded<float>::within(
        Each, Relative * Each + Roundings * Rounding<float>::Least));
  return Result;
}

/// Matrices associate: (A B) (C D) is A ((B C) D). A matrix of ones times one
/// of ones counts the terms of its sums.
static void checkReference(Program &Run) {
  Random From(Run.seed());
  auto some = [&](int Rows, int Columns) {
    return Matrix(Rows, Columns,
                  randomVector<float>(From, size_t(Rows) * Columns, 0, 1));
  };
  Matrix A = some(13, 29), B = some(29, 31), C = some(31, 7), D = some(7, 23);
  Run.compare("(A B) (C D)", bounded((A * B) * (C * D), 0),
              bounded(A * ((B * C) * D), 0));

  Matrix Ones(3, 50, std::vector<float>(150, 1));
  Matrix More(50, 2, std::vector<float>(100, 1));
  Run.compare("ones", std::vector<float>(6, 50), bounded(Ones * More, 0));
}

int main(int Argc, char **Argv) {
  Program Run("3mm", "the product of two products of matrices",
              {{"ni", 512, "rows of A and G"},
               {"nj", 512, "columns of B, rows of F"},
               {"nk", 512, "columns of A, rows of B"},
               {"nl", 512, "columns of D and G"},
               {"nm", 512, "columns of C, rows of D"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  for (const char *Name : {"ni", "nj", "nk", "nl", "nm"})
    Run.require(Run[Name] <= 46340, "every size is at most 46340");
  int I = int(Run["ni"]), J = int(Run["nj"]), K = int(Run["nk"]);
  int L = int(Run["nl"]), M = int(Run["nm"]);
  Random From(Run.seed());
  auto some = [&](int Rows, int Columns) {
    return randomVector<float>(From, size_t(Rows) * Columns, 0, 1);
  };
  std::vector<float> A = some(I, K), B = some(K, J), C = some(J, M),
                     D = some(M, L);

  Array<float> DeviceA(A), DeviceB(B), DeviceC(C), DeviceD(D);
  Array<float> E(size_t(I) * J), F(size_t(J) * L), G(size_t(I) * L);
  auto product = [&](int Rows, int Inner, int Columns, const float *X,
                     const float *Y, float *Z) {
    dim3 Block(Tile, Tile);
    dim3 Grid((Columns + Tile - 1) / Tile, (Rows + Tile - 1) / Tile);
    multiply<<<Grid, Block>>>(Rows, Inner, Columns, X, Y, Z);
    Run.launched("multiply", Grid, Block);
  };
  Run.measure(
      [&] {
        for (Array<float> *Each : {&E, &F, &G})
          Each->clear();
      },
      [&] {
        product(I, K, J, DeviceA, DeviceB, E);
        product(J, M, L, DeviceC, DeviceD, F);
        product(I, J, L, E, F, G);
      });

  Matrix WantE = Matrix(I, K, A) * Matrix(K, J, B);
  Matrix WantF = Matrix(J, M, C) * Matrix(M, L, D);
  Run.compare("A B", E.download(), bounded(WantE, K));
  Run.compare("C D", F.download(), bounded(WantF, M));
  Run.compare("(A B) (C D)", G.download(),
              bounded(WantE * WantF, double(J) + K + M));
  return Run.report();
}
