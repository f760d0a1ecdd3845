// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// BICG: the two products in an iteration of the biconjugate gradient method:
// q = A p, a block for each row, and s = A^T r, a thread for each column. The
// two launches share only the matrix, which both read.

#include "../common/Program.h"

using namespace bench;

static constexpr int RowThreads = 256, ColumnThreads = 256;

/// Q = A P; the block of a row sums its parts in a tree.
__global__ void rowProducts(int Columns, const float *A, const float *P,
                            float *Q) {
  __shared__ float Part[RowThreads];
  int Row = blockIdx.x, Thread = threadIdx.x;
  const float *Own = A + size_t(Row) * Columns;
  float Sum = 0;
  for (int Column = Thread; Column < Columns; Column += RowThreads)
    Sum += Own[Column] * P[Column];
  Part[Thread] = Sum;
  for (int Half = RowThreads / 2; Half > 0; Half /= 2) {
    __syncthreads();
    if (Thread < Half)
      Part[Thread] += Part[Thread + Half];
  }
  if (Thread == 0)
    Q[Row] = Part[0];
}

/// S = A^T R.
__global__ void columnProducts(int Rows, int Columns, const float *A,
                               const float *R, float *S) {
  int Column = blockIdx.x * ColumnThreads + threadIdx.x;
  if (Column >= Columns)
    return;
  float Sum = 0;
  for (int Row = 0; Row < Rows; ++Row)
    Sum += A[size_t(Row) * Columns + Column] * R[Row];
  S[Column] = Sum;
}

/// The matrix and the vectors it is multiplied with.
struct Problem {
  int Rows, Columns;
  std::vector<float> A, P, R;
};

/// A P, added in the order of rowProducts.
static std::vector<Rounded<float>> forward(const Problem &In) {
  std::vector<Rounded<float>> Q(In.Rows);
  parallelFor(In.Rows, [&](size_t Row) {
    const float *Own = In.A.data() + Row * In.Columns;
    Rounded<float> Part[RowThreads];
    for (int Column = 0; Column < In.Columns; ++Column)
      Part[Column % RowThreads] +=
          Rounded<float>(Own[Column]) * Rounded<float>(In.P[Column]);
    for (int Half = RowThreads / 2; Half > 0; Half /= 2)
      for (int Thread = 0; Thread < Half; ++Thread)
        Part[Thread] += Part[Thread + Half];
    Q[Row] = Part[0];
  });
  return Q;
}

/// A^T R, added in the order of columnProducts.
static std::vector<Rounded<float>> backward(const Problem &In) {
  constexpr int Chunk = 64;
  std::vector<Rounded<float>> S(In.Columns);
  parallelFor((In.Columns + Chunk - 1) / Chunk, [&](size_t Which) {
    int Begin = int(Which) * Chunk, End = std::min(Begin + Chunk, In.Columns);
    Rounded<float> Sums[Chunk];
    for (int Row = 0; Row < In.Rows; ++Row)
      for (int Column = Begin; Column < End; ++Column)
        Sums[Column - Begin] +=
            Rounded<float>(In.A[size_t(Row) * In.Columns + Column]) *
            Rounded<float>(In.R[Row]);
    std::copy(Sums, Sums + (End - Begin), S.begin() + Begin);
  });
  return S;
}

/// A matrix of rank one, A[I][J] = U[I] V[J], has products that need only the
/// products of vectors; A and its transpose then are one reference with the
/// sides swapped.
static void checkReference(Program &Run) {
  int N = 40, M = 150;
  Problem In{N, M, std::vector<float>(size_t(N) * M), {}, {}};
  std::vector<float> U(N), V(M);
  Random From(Run.seed());
  auto small = [&] { return float(From.below(15)) - 7; };
  std::generate(U.begin(), U.end(), small);
  std::generate(V.begin(), V.end(), small);
  float VP = 0, UR = 0;
  for (int J = 0; J < M; ++J)
    VP += V[J] * In.P.emplace_back(small());
  for (int I = 0; I < N; ++I)
    UR += U[I] * In.R.emplace_back(small());
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      In.A[size_t(I) * M + J] = U[I] * V[J];
  for (float &Each : U)
    Each *= VP;
  for (float &Each : V)
    Each *= UR;
  Run.compare("q of rank one", U, forward(In));
  Run.compare("s of rank one", V, backward(In));

  In.A = randomVector<float>(From, In.A.size(), -1, 1);
  Problem Turned{M, N, std::vector<float>(In.A.size()), In.R, In.P};
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      Turned.A[size_t(J) * N + I] = In.A[size_t(I) * M + J];
  Run.compare("q of the transpose", forward(Turned), backward(In));
  Run.compare("s of the transpose", backward(Turned), forward(In));
}

int main(int Argc, char **Argv) {
  Program Run("bicg", "the two products of a biconjugate gradient iteration",
              {{"rows", 4096, "rows of the matrix"},
               {"columns", 4096, "columns of the matrix"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int Rows = int(Run["rows"]), Columns = int(Run["columns"]);
  Random From(Run.seed());
  Problem In{Rows, Columns, {}, {}, {}};
  In.A = randomVector<float>(From, size_t(Rows) * Columns, -1, 1);
  In.P = randomVector<float>(From, Columns, -1, 1);
  In.R = randomVector<float>(From, Rows, -1, 1);

  Array<float> A(In.A), P(In.P), R(In.R), Q(Rows), S(Columns);
  dim3 ByRows(Rows), ByColumns((Columns + ColumnThreads - 1) / ColumnThreads);
  Run.measure(
      [&] {
        Q.clear();
        S.clear();
      },
      [&] {
        rowProducts<<<ByRows, RowThreads>>>(Columns, A, P, Q);
        Run.launched("rowProducts", ByRows, RowThreads);
        columnProducts<<<ByColumns, ColumnThreads>>>(Rows, Columns, A, R, S);
        Run.launched("columnProducts", ByColumns, ColumnThreads);
      });

  Run.compare("q", Q.download(), forward(In));
  Run.compare("s", S.download(), backward(In));
  return Run.report();
}
