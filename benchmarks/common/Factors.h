// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how to tell whether computed factors of a matrix are right: by
// their product.
// Threads: values; a product uses all cores.
//
// Note [Backward error]: Whatever way L (lower triangular) and U (upper
// triangular) were computed from A, an element with K = min(I, J) came from
//   A[I][J] = sum over T < K of L[I][T] U[T][J]  + L[I][K] U[K][J]
// solved for the last product. Each term on the way to the solution was rounded
// as a product and then in at most K additions, and the solution once more in
// the division, or Cholesky's square root; contracting rounds less. Moving all
// of these to the other side gives, in whatever order the sum was taken
// (Higham, Accuracy and Stability of Numerical Algorithms, lemma 8.4 and
// theorem 10.3),
//   |A[I][J] - (L U)[I][J]| <= gamma(K + 1) (|L| |U|)[I][J].
// This says nothing about how far L and U are from exact factors, which hangs
// on the matrix, and needs not: factors are as good as their product.

#ifndef BLOCKMAESTRO_BENCHMARKS_FACTORS_H
#define BLOCKMAESTRO_BENCHMARKS_FACTORS_H

#include "Host.h"
#include "Rounded.h"

#include <type_traits>

namespace bench {

/// The product of L, of \p Rows rows, and U, of \p Columns columns, with the
/// bound of the matrix that they are factors of. Left(Row, K) gives L's element
/// for K <= Row; of \p Upper, row by row, only the diagonal and what is right
/// of it is read.
template <typename T, typename F>
std::vector<Rounded<T>> product(size_t Rows, size_t Columns, F Left,
                                const std::vector<T> &Upper) {
  std::vector<Rounded<T>> Result(Rows * Columns);
  parallelFor(Rows, [&](size_t Row) {
    std::vector<double> Sum(Columns), Size(Columns);
    for (size_t K = 0; K <= Row; ++K) {
      double Factor = Left(Row, K);
      for (size_t J = K; J < Columns; ++J) {
        double Term = Factor * Upper[K * Columns + J];
        Sum[J] += Term;
        Size[J] += std::fabs(Term);
      }
    }
    for (size_t J = 0; J < Columns; ++J) {
      // One rounding more than the note says covers those of the sums here,
      // unless these are as coarse as the device's.
      double Roundings = double(std::min(Row, J) + 2);
      double Unit = gamma<T>(Roundings);
      if (std::is_same<T, double>::value)
        Unit += gamma<double>(Roundings);
      Result[Row * Columns + J] = Rounded<T>::within(
          Sum[J], Unit * Size[J] + Roundings * Rounding<T>::Least);
    }
  });
  return Result;
}

/// The same for L with ones on its diagonal, which stands below that of
/// \p Below; both have \p Columns numbers in a row, and those beyond Rows
/// belong to U.
inline std::vector<Rounded<float>>
productOfFactors(int Rows, int Columns, const std::vector<float> &Below,
                 const std::vector<float> &Above) {
  return product<float>(
      Rows, Columns,
      [&](size_t Row, size_t K) {
        return K == Row ? 1.0f : Below[Row * Columns + K];
      },
      Above);
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
