// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// MVT: a matrix and its transpose, each times a vector and added to another:
// x1 += A y1 and x2 += A^T y2. The two launches share only the matrix, which
// both read.

#include "../common/Program.h"

using namespace bench;

static constexpr int Warp = 32, RowsPerBlock = 8;

/// X += A Y, a warp for each row.
__global__ void addProduct(int Rows, int Columns, const float *A,
                           const float *Y, float *X) {
  int Row = blockIdx.x * RowsPerBlock + threadIdx.y;
  if (Row >= Rows)
    return;
  const float *Own = A + size_t(Row) * Columns;
  float Sum = 0;
  for (int Column = threadIdx.x; Column < Columns; Column += Warp)
    Sum += Own[Column] * Y[Column];
  for (int Offset = Warp / 2; Offset > 0; Offset /= 2)
    Sum += __shfl_down_sync(0xffffffff, Sum, Offset);
  if (threadIdx.x == 0)
    X[Row] += Sum;
}

/// X += A^T Y, a block for each 32 columns; its rows of threads share the rows
/// of the matrix.
__global__ void addTransposedProduct(int Rows, int Columns, const float *A,
                                     const float *Y, float *X) {
  __shared__ float Part[RowsPerBlock][Warp];
  int Column = blockIdx.x * Warp + threadIdx.x;
  float Sum = 0;
  if (Column < Columns)
    for (int Row = threadIdx.y; Row < Rows; Row += RowsPerBlock)
      Sum += A[size_t(Row) * Columns + Column] * Y[Row];
  Part[threadIdx.y][threadIdx.x] = Sum;
  __syncthreads();
  if (threadIdx.y != 0 || Column >= Columns)
    return;
  for (int Other = 1; Other < RowsPerBlock; ++Other)
    Sum += Part[Other][threadIdx.x];
  X[Column] += Sum;
}

/// The matrix and the vectors.
struct Problem {
  int Rows, Columns;
  std::vector<float> A, Y1, Y2, X1, X2;
};

/// X1 + A Y1, added in the order of addProduct.
static std::vector<Rounded<float>> product(const Problem &P) {
  std::vector<Rounded<float>> X(P.X1.begin(), P.X1.end());
  parallelFor(P.Rows, [&](size_t Row) {
    const float *Own = P.A.data() + Row * P.Columns;
    Rounded<float> Lanes[Warp];
    for (int Column = 0; Column < P.Columns; ++Column)
      Lanes[Column % Warp] +=
          Rounded<float>(Own[Column]) * Rounded<float>(P.Y1[Column]);
    for (int Offset = Warp / 2; Offset > 0; Offset /= 2)
      for (int Lane = 0; Lane < Offset; ++Lane)
        Lanes[Lane] += Lanes[Lane + Offset];
    X[Row] += Lanes[0];
  });
  return X;
}

/// X2 + A^T Y2, added in the order of addTransposedProduct.
static std::vector<Rounded<float>> transposedProduct(const Problem &P) {
  std::vector<Rounded<float>> X(P.X2.begin(), P.X2.end());
  parallelFor((P.Columns + Warp - 1) / Warp, [&](size_t Block) {
    int Begin = int(Block) * Warp, End = std::min(Begin + Warp, P.Columns);
    Rounded<float> Part[RowsPerBlock][Warp];
    for (int Row = 0; Row < P.Rows; ++Row)
      for (int Column = Begin; Column < End; ++Column)
        Part[Row % RowsPerBlock][Column - Begin] +=
            Rounded<float>(P.A[size_t(Row) * P.Columns + Column]) *
            Rounded<float>(P.Y2[Row]);
    for (int Column = Begin; Column < End; ++Column) {
      for (int Other = 1; Other < RowsPerBlock; ++Other)
        Part[0][Column - Begin] += Part[Other][Column - Begin];
      X[Column] += Part[0][Column - Begin];
    }
  });
  return X;
}

/// With A[I][J] = I + 2 J and vectors of ones the sums have closed forms; the
/// vectors then swap sides: Y2 . (A Y1) = Y1 . (A^T Y2).
static void checkReference(Program &Run) {
  int N = 45, M = 70;
  Problem P{N, M, std::vector<float>(size_t(N) * M), {}, {}, {}, {}};
  P.Y1.assign(M, 1), P.Y2.assign(N, 1), P.X1.assign(N, 3), P.X2.assign(M, 4);
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      P.A[size_t(I) * M + J] = float(I + 2 * J);
  std::vector<float> Rows, Columns;
  for (int I = 0; I < N; ++I)
    Rows.push_back(float(3 + M * I + M * (M - 1)));
  for (int J = 0; J < M; ++J)
    Columns.push_back(float(4 + N * (N - 1) / 2 + 2 * N * J));
  Run.compare("rows of a ramp", Rows, product(P));
  Run.compare("columns of a ramp", Columns, transposedProduct(P));

  Random From(Run.seed());
  P.A = randomVector<float>(From, P.A.size(), -1, 1);
  P.Y1 = randomVector<float>(From, M, -1, 1);
  P.Y2 = randomVector<float>(From, N, -1, 1);
  P.X1.assign(N, 0), P.X2.assign(M, 0);
  double One = 0, Other = 0;
  std::vector<Rounded<float>> X1 = product(P), X2 = transposedProduct(P);
  for (int I = 0; I < N; ++I)
    One += P.Y2[I] * X1[I].value();
  for (int J = 0; J < M; ++J)
    Other += P.Y1[J] * X2[J].value();
  Run.expect(std::fabs(One - Other) < 1e-12 * N * M,
             "the transpose moves to the other side of a product");
}

int main(int Argc, char **Argv) {
  Program Run("mvt", "a matrix and its transpose, each times a vector",
              {{"rows", 4096, "rows of the matrix"},
               {"columns", 4096, "columns of the matrix"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Rows = int(Run["rows"]), Columns = int(Run["columns"]);
  Random From(Run.seed());
  Problem P{Rows, Columns, {}, {}, {}, {}, {}};
  // Nothing negative: sums of many rows then stay large beside their bounds.
  P.A = randomVector<float>(From, size_t(Rows) * Columns, 0, 1);
  P.Y1 = randomVector<float>(From, Columns, 0, 1);
  P.Y2 = randomVector<float>(From, Rows, 0, 1);
  P.X1 = randomVector<float>(From, Rows, -1, 1);
  P.X2 = randomVector<float>(From, Columns, -1, 1);

  Array<float> A(P.A), Y1(P.Y1), Y2(P.Y2), X1(P.X1), X2(P.X2);
  dim3 Block(Warp, RowsPerBlock);
  dim3 ByRows((Rows + RowsPerBlock - 1) / RowsPerBlock);
  dim3 ByColumns((Columns + Warp - 1) / Warp);
  Run.measure(
      [&] {
        X1.upload(P.X1);
        X2.upload(P.X2);
      },
      [&] {
        addProduct<<<ByRows, Block>>>(Rows, Columns, A, Y1, X1);
        Run.launched("addProduct", ByRows, Block);
        addTransposedProduct<<<ByColumns, Block>>>(Rows, Columns, A, Y2, X2);
        Run.launched("addTransposedProduct", ByColumns, Block);
      });

  Run.compare("x1", X1.download(), product(P));
  Run.compare("x2", X2.download(), transposedProduct(P));
  return Run.report();
}
