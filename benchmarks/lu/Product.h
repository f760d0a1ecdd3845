// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the product of two triangular factors, with how far it may be
// from the matrix that a device factored. The factors themselves may be far
// from the exact ones where the matrix is ill-conditioned; their product never
// is (Higham, Accuracy and Stability of Numerical Algorithms, theorems 9.3 and
// 10.3): element (i, j) misses that of the matrix by at most gamma(min(i, j) +
// 1) times that of |L| |U|, whatever the order of the additions and with
// contraction or without.

#ifndef BLOCKMAESTRO_BENCHMARKS_LU_PRODUCT_H
#define BLOCKMAESTRO_BENCHMARKS_LU_PRODUCT_H

#include "../common/Host.h"
#include "../common/Rounded.h"

namespace bench {

/// L U of \p N rows. Left(Row, K) gives L's element for K <= Row; of \p Upper,
/// row by row, only the diagonal and what is right of it is read.
template <typename T, typename F>
std::vector<Rounded<T>> product(size_t N, F Left, const std::vector<T> &Upper) {
  std::vector<Rounded<T>> Result(N * N);
  parallelFor(N, [&](size_t Row) {
    std::vector<double> Sum(N), Size(N);
    for (size_t K = 0; K <= Row; ++K) {
      double Factor = Left(Row, K);
      for (size_t J = K; J < N; ++J) {
        double Term = Factor * Upper[K * N + J];
        Sum[J] += Term;
        Size[J] += std::fabs(Term);
      }
    }
    for (size_t J = 0; J < N; ++J) {
      // One more rounding for the square root of Cholesky, and those of the
      // sum right here.
      double Roundings = double(std::min(Row, J) + 2);
      double Unit = gamma<T>(Roundings) + gamma<double>(Roundings);
      Result[Row * N + J] = Rounded<T>::within(
          Sum[J], Unit * Size[J] + Roundings * Rounding<T>::Least);
    }
  });
  return Result;
}

} // namespace bench

#endif
