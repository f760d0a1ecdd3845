// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// JDS SpMV: a sparse matrix in jagged diagonal storage times a vector, again
// and again: each launch multiplies the result of the launch before it. The
// rows are sorted by their number of entries; the k-th entries of all rows that
// have one lie side by side, so neighbouring threads read neighbouring entries.
// Which part of the vector a block reads and writes is in the matrix.

#include "../common/Program.h"

using namespace bench;

static constexpr int Width = 128;

__global__ void multiply(int N, const int *Length, const int *Diagonal,
                         const int *Row, const int *Column, const float *Entry,
                         const float *From, float *To) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float Sum = 0;
  for (int K = 0; K < Length[I]; ++K) {
    int At = Diagonal[K] + I;
    Sum += Entry[At] * From[Column[At]];
  }
  To[Row[I]] = Sum;
}

/// A sparse matrix by its rows.
struct Matrix {
  std::vector<size_t> Begin; // of each row, and the end of the last
  std::vector<int> Column;
  std::vector<float> Entry;

  int rows() const { return int(Begin.size()) - 1; }
};

/// The same in jagged diagonal storage.
struct Jagged {
  std::vector<int> Length, Row; // of the sorted rows
  std::vector<int> Diagonal;    // where the k-th entries begin
  std::vector<int> Column;
  std::vector<float> Entry;
};

/// A row's numbers.
static Random ofRow(uint64_t Seed, int Row, int Stream) {
  return Random((Seed * 3 + Stream) * 0x9e3779b97f4a7c15u + Row);
}

/// A matrix as of a mesh with a few links across: most entries of a row are
/// near the diagonal, one in eight anywhere. All are positive and those of a
/// row sum to less than 1.
static Matrix mesh(uint64_t Seed, int N, int Most) {
  Matrix A;
  A.Begin.assign(N + 1, 0);
  for (int Row = 0; Row < N; ++Row)
    A.Begin[Row + 1] = A.Begin[Row] + 1 + ofRow(Seed, Row, 0).below(Most);
  A.Column.resize(A.Begin[N]);
  A.Entry.resize(A.Begin[N]);
  int Band = std::max(2, std::min(N / 8, 2 * Most));
  parallelFor(N, [&](size_t Row) {
    Random From = ofRow(Seed, int(Row), 1);
    double Share = 0.999 / double(A.Begin[Row + 1] - A.Begin[Row]);
    for (size_t K = A.Begin[Row]; K < A.Begin[Row + 1]; ++K) {
      long long Near = (long long)Row - Band + (long long)From.below(2 * Band);
      bool Far = From.below(8) == 0;
      A.Column[K] = Far ? int(From.below(N)) : int((Near + N) % N);
      A.Entry[K] = float(Share * From.uniform(0.95, 1));
    }
  });
  return A;
}

/// Sorts the rows, longest first and otherwise as they come, and turns entries
/// that follow each other in a row into entries of a column.
static Jagged jagged(const Matrix &A) {
  int N = A.rows(), Longest = 0;
  auto Length = [&](int Row) { return int(A.Begin[Row + 1] - A.Begin[Row]); };
  for (int Row = 0; Row < N; ++Row)
    Longest = std::max(Longest, Length(Row));
  std::vector<int> AtLeast(Longest + 2), Next(Longest + 1);
  for (int Row = 0; Row < N; ++Row)
    ++AtLeast[Length(Row)];
  for (int L = Longest; L >= 0; --L) {
    Next[L] = AtLeast[L + 1];
    AtLeast[L] += AtLeast[L + 1];
  }

  Jagged J;
  J.Length.resize(N);
  J.Row.resize(N);
  for (int Row = 0; Row < N; ++Row) {
    int I = Next[Length(Row)]++;
    J.Row[I] = Row;
    J.Length[I] = Length(Row);
  }
  for (int K = 0, At = 0; K < Longest; At += AtLeast[++K])
    J.Diagonal.push_back(At);
  J.Column.resize(A.Column.size());
  J.Entry.resize(A.Entry.size());
  parallelFor(Longest, [&](size_t K) {
    for (int I = 0; I < AtLeast[K + 1]; ++I) {
      J.Column[J.Diagonal[K] + I] = A.Column[A.Begin[J.Row[I]] + K];
      J.Entry[J.Diagonal[K] + I] = A.Entry[A.Begin[J.Row[I]] + K];
    }
  });
  return J;
}

/// A product on the host, row by row. No row sums to more than 1: it enlarges
/// no error.
static std::vector<Rounded<float>>
multiplied(const Matrix &A, const std::vector<Rounded<float>> &From) {
  return stable(From, 1, [&](const std::vector<Rounded<float>> &Exact) {
    std::vector<Rounded<float>> To(Exact.size());
    parallelFor(To.size(), [&](size_t Row) {
      Rounded<float> Sum;
      for (size_t K = A.Begin[Row]; K < A.Begin[Row + 1]; ++K)
        Sum += Rounded<float>(A.Entry[K]) * Exact[A.Column[K]];
      To[Row] = Sum;
    });
    return To;
  });
}

/// By jagged diagonals the product of a small matrix is the same as by rows
/// and as by a full matrix; a row's bounds are those of its mean.
static void checkReference(Program &Run) {
  int N = 300;
  Matrix A = mesh(Run.seed(), N, 12);
  Random From(Run.seed());
  std::vector<float> X = randomVector<float>(From, N, 0.5, 1.5);
  std::vector<double> Full(size_t(N) * N);
  for (int Row = 0; Row < N; ++Row)
    for (size_t K = A.Begin[Row]; K < A.Begin[Row + 1]; ++K)
      Full[size_t(Row) * N + A.Column[K]] += A.Entry[K];
  Jagged J = jagged(A);
  std::vector<double> Other(N);
  for (size_t K = 0; K < J.Diagonal.size(); ++K)
    for (int I = 0; I < N && J.Length[I] > int(K); ++I)
      Other[J.Row[I]] +=
          double(J.Entry[J.Diagonal[K] + I]) * X[J.Column[J.Diagonal[K] + I]];
  std::vector<Rounded<float>> One, Jag;
  bool Shrinks = true;
  for (int Row = 0; Row < N; ++Row) {
    double Product = 0, Whole = 0;
    for (int Column = 0; Column < N; ++Column) {
      Product += Full[size_t(Row) * N + Column] * X[Column];
      Whole += Full[size_t(Row) * N + Column];
    }
    Shrinks = Shrinks && Whole < 1;
    One.push_back(Rounded<float>::within(Product, 1e-12));
    Jag.push_back(Rounded<float>::within(Other[Row], 1e-12));
  }
  std::vector<Rounded<float>> Want =
      multiplied(A, std::vector<Rounded<float>>(X.begin(), X.end()));
  Run.compare("rows and a full matrix", Want, One);
  Run.compare("diagonals and a full matrix", Jag, One);
  Run.expect(Shrinks, "rows sum to less than 1");
}

int main(int Argc, char **Argv) {
  Program Run("jds-spmv", "products of a sparse matrix and a vector",
              {{"n", 11948, "rows and columns"},
               {"most", 24, "entries of the longest row"},
               {"steps", 50, "products"}});
  Run.parse(Argc, Argv);
  if (Run.checksReference()) {
    checkReference(Run);
    return Run.report();
  }

  int N = int(Run["n"]), Most = int(Run["most"]), Steps = int(Run["steps"]);
  Run.require(1ll * N * Most < 1ll << 31, "--n times --most is below 2^31");
  Matrix A = mesh(Run.seed(), N, Most);
  Jagged J = jagged(A);
  Random From(Run.seed());
  std::vector<float> Start = randomVector<float>(From, N, 0.5, 1.5);

  Array<int> Length(J.Length), Diagonal(J.Diagonal), Row(J.Row);
  Array<int> Column(J.Column);
  Array<float> Entry(J.Entry), One(N), Other(N);
  float *Now = One, *Next = Other;
  dim3 Block(Width), Grid((N + Width - 1) / Width);
  Run.measure(
      [&] {
        Now = One, Next = Other;
        One.upload(Start);
      },
      [&] {
        for (int Step = 0; Step < Steps; ++Step) {
          multiply<<<Grid, Block>>>(N, Length, Diagonal, Row, Column, Entry,
                                    Now, Next);
          Run.launched("multiply", Grid, Block);
          std::swap(Now, Next);
        }
      });

  std::vector<Rounded<float>> Want(Start.begin(), Start.end());
  for (int Step = 0; Step < Steps; ++Step)
    Want = multiplied(A, Want);
  Run.compare("vector", (Now == One ? One : Other).download(), Want);
  return Run.report();
}
