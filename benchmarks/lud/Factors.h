// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how to tell whether computed factors of a matrix are right: by
// their product. Also used by gaussian.
// Threads: values; a product uses all cores.
//
// Note [Backward error]: Whatever way L (unit lower triangular) and U (upper
// triangular) were computed from A, an element with K = min(I, J) came from
//   A[I][J] = sum over T < K of L[I][T] U[T][J]  + L[I][K] U[K][J]
// solved for the last product. Each term on the way to the solution was rounded
// as a product and then in at most K additions, and the solution once more in
// the division; contracting rounds less. Moving all of these to the other side
// gives, in whatever order the sum was taken (Higham, Accuracy and Stability of
// Numerical Algorithms, lemma 8.4),
//   |A[I][J] - (L U)[I][J]| <= gamma(K + 1) (|L| |U|)[I][J].
// This says nothing about how far L and U are from exact factors, which hangs
// on the matrix, and needs not: factors are as good as their product.

#ifndef BLOCKMAESTRO_BENCHMARKS_LUD_FACTORS_H
#define BLOCKMAESTRO_BENCHMARKS_LUD_FACTORS_H

#include "../common/Host.h"
#include "../common/Rounded.h"

namespace bench {

/// The products of L, below the diagonal of \p Below and with ones on it, and
/// of U, on and above the diagonal of \p Above, each with the bound of the
/// matrix that they are factors of. Both have \p Rows rows of \p Columns
/// numbers; columns beyond Rows belong to U.
inline std::vector<Rounded<float>>
productOfFactors(int Rows, int Columns, const std::vector<float> &Below,
                 const std::vector<float> &Above) {
  std::vector<Rounded<float>> Result(size_t(Rows) * Columns);
  parallelFor(Rows, [&](size_t Row) {
    int I = int(Row);
    std::vector<double> Sum(Columns), Size(Columns);
    for (int T = 0; T <= I; ++T) {
      double Factor = T < I ? Below[Row * Columns + T] : 1;
      const float *From = Above.data() + size_t(T) * Columns;
      for (int J = T; J < Columns; ++J) {
        double Term = Factor * From[J];
        Sum[J] += Term;
        Size[J] += std::fabs(Term);
      }
    }
    for (int J = 0; J < Columns; ++J) {
      // One rounding more than the note says covers those of the sums here.
      int Roundings = std::min(I, J) + 2;
      Result[Row * Columns + J] = Rounded<float>::within(
          Sum[J], gamma<float>(Roundings) * Size[J] +
                      2.0 * Roundings * Rounding<float>::Least);
    }
  });
  return Result;
}

/// A matrix with random numbers and a diagonal larger than the rest of its row
/// and of its column, so that no pivoting is needed.
inline std::vector<float> dominantMatrix(Random &From, int N) {
  std::vector<float> A = randomVector<float>(From, size_t(N) * N, -1, 1);
  for (int I = 0; I < N; ++I)
    A[size_t(I) * N + I] = float(From.uniform(0.75, 1) * N);
  return A;
}

} // namespace bench

#endif
