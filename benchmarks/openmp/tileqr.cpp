// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// QR decomposition by tiles. Within a diagonal tile what is below the diagonal
// is done when the tile is factored, while the rest goes on changing: clauses
// name the parts of rows that a task touches, and these parts overlap. The
// standard asks for sections that are equal or apart, so that another
// compiler's program needs OMP_NUM_THREADS=1. Nothing runs in parallel around
// the tasks.

#include "problems/TileQr.h"
#include "Run.h"

using namespace tasks;

#pragma omp declare target
static constexpr int Side = TileQr::Side;

/// The reflection of a vector of Head and what has the sum of squares Rest onto
/// its first element: that element, and the factor by which the others are
/// divided. Returns the scale of the reflection, 0 where nothing is reflected.
static double reflection(double Head, double Rest, double *First,
                         double *Divisor) {
  *First = Head;
  *Divisor = 1;
  if (Rest == 0)
    return 0;
  double Norm = __builtin_sqrt(Head * Head + Rest);
  *First = Head > 0 ? -Norm : Norm;
  *Divisor = Head - *First;
  return -*Divisor / *First;
}

/// Reflects a column of Top and Low: Top's row Y, and of Low the rows from
/// Begin.
static void reflect(int N, double Scale, int Begin, const double *Vector,
                    double *Top, double *Low) {
  double Sum = *Top;
  for (int R = Begin; R < Side; ++R)
    Sum += Vector[R * N] * Low[R * N];
  Sum *= Scale;
  *Top -= Sum;
  for (int R = Begin; R < Side; ++R)
    Low[R * N] -= Sum * Vector[R * N];
}

/// Eliminates column after column of Low, from row Begin(column), against
/// column's row of Top.
static void eliminate(int N, bool Within, double *Top, double *Low,
                      double *Scale) {
  double Rest, First, Divisor;
#pragma omp parallel
  for (int C = 0; C < Side; ++C) {
    int Begin = Within ? C + 1 : 0;
#pragma omp single
    Rest = 0;
#pragma omp for reduction(+ : Rest)
    for (int R = Begin; R < Side; ++R)
      Rest += Low[R * N + C] * Low[R * N + C];
#pragma omp single
    {
      Scale[C] = reflection(Top[C * N + C], Rest, &First, &Divisor);
      Top[C * N + C] = First;
    }
#pragma omp for
    for (int R = Begin; R < Side; ++R)
      Low[R * N + C] /= Divisor;
#pragma omp for
    for (int X = C + 1; X < Side; ++X)
      reflect(N, Scale[C], Begin, Low + C, Top + C * N + X, Low + X);
  }
}

/// Reflects two tiles as eliminate() has reflected those of Vectors. A thread
/// has a column.
static void apply(int N, bool Within, const double *Vectors, double *Top,
                  double *Low, const double *Scale) {
#pragma omp parallel for
  for (int X = 0; X < Side; ++X)
    for (int C = 0; C < Side; ++C)
      reflect(N, Scale[C], Within ? C + 1 : 0, Vectors + C, Top + C * N + X,
              Low + X);
}
#pragma omp end declare target

/// Scale has Side numbers for every tile.
static void factor(int Tiles, int N, size_t Cells, double *A, double *Scale) {
  size_t Scales = size_t(Tiles) * size_t(N);
#pragma omp target thread_limit(TileQr::Threads) map(tofrom : A[0 : Cells])    \
    map(alloc : Scale[0 : Scales])
#pragma omp masked
  for (int K = 0; K < Tiles; ++K) {
    double *Diagonal = A + K * Side * N + K * Side;
    double *DiagonalScale = Scale + (K * Tiles + K) * Side;
#pragma omp task firstprivate(Diagonal, DiagonalScale)                         \
    depend(iterator(int R = 0 : Side), inout : Diagonal[R * N : Side])         \
    depend(out : DiagonalScale[0 : Side])
    eliminate(N, true, Diagonal, Diagonal, DiagonalScale);
    for (int J = K + 1; J < Tiles; ++J) {
      double *Right = A + K * Side * N + J * Side;
#pragma omp task firstprivate(Diagonal, DiagonalScale, Right)                  \
    depend(iterator(int R = 1 : Side), in : Diagonal[R * N : R])               \
    depend(in : DiagonalScale[0 : Side])                                       \
    depend(iterator(int R = 0 : Side), inout : Right[R * N : Side])
      apply(N, true, Diagonal, Right, Right, DiagonalScale);
    }
    for (int I = K + 1; I < Tiles; ++I) {
      double *Below = A + I * Side * N + K * Side;
      double *OwnScale = Scale + (I * Tiles + K) * Side;
#pragma omp task firstprivate(Diagonal, Below, OwnScale)                       \
    depend(iterator(int R = 0 : Side), inout : Diagonal[R * N + R : Side - R]) \
    depend(iterator(int R = 0 : Side), inout : Below[R * N : Side])            \
    depend(out : OwnScale[0 : Side])
      eliminate(N, false, Diagonal, Below, OwnScale);
      for (int J = K + 1; J < Tiles; ++J) {
        double *Top = A + K * Side * N + J * Side;
        double *Low = A + I * Side * N + J * Side;
#pragma omp task firstprivate(Below, OwnScale, Top, Low)                       \
    depend(iterator(int R = 0 : Side), in : Below[R * N : Side])               \
    depend(in : OwnScale[0 : Side])                                            \
    depend(iterator(int R = 0 : Side), inout : Top[R * N : Side])              \
    depend(iterator(int R = 0 : Side), inout : Low[R * N : Side])
        apply(N, false, Below, Top, Low, OwnScale);
      }
    }
  }
}

int main(int Argc, char **Argv) {
  Run Run("tileqr", {{"tiles", 24, "tiles on a side", 1, 256}});
  Run.parse(Argc, Argv);
  TileQr Problem(Run["tiles"]);
  std::vector<double> Result = Problem.Start;
  size_t Cells = Result.size();
  double *A = Result.data();
  size_t Scales = size_t(Problem.Tiles) * size_t(Problem.N);
  std::vector<double> Scaled(Scales);
  double *Scale = Scaled.data();
  Run.has(Problem.tasks(), TileQr::Threads);

  Run.begin();
#pragma omp target data map(tofrom : A[0 : Cells])                             \
    map(alloc : Scale[0 : Scales])
  while (Run.again()) {
    std::copy(Problem.Start.begin(), Problem.Start.end(), A);
#pragma omp target update to(A[0 : Cells])
    Run.start();
    factor(Problem.Tiles, Problem.N, Cells, A, Scale);
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
