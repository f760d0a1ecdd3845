// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: matrices to be factored, and whether computed factors are right:
// by their product.
//
// Note [Backward error]: an element of A = L U came from
//   A[I][J] = sum over K <= min(I, J) of L[I][K] U[K][J],
// solved for the last term. Every term is rounded as a product and in at most
// min(I, J) + 1 additions, and the solution once in a division or root, in
// whatever order and with whatever contraction. So (Higham, Accuracy and
// Stability of Numerical Algorithms, theorem 10.3 and lemma 8.4)
//   |A - L U|[I][J] <= gamma(min(I, J) + 2) (|L| |U|)[I][J],
// gamma(n) = n u / (1 - n u), u = 2^-24; one rounding more is for the sums
// here, which are in double.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_FACTORS_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_FACTORS_H

#include "../../common/Host.h"
#include "../Run.h"

namespace tasks {

/// N by N random numbers, symmetric, with a diagonal that outweighs the rest:
/// positive definite, and needing no pivots.
inline std::vector<float> dominantMatrix(int N, uint64_t Seed) {
  bench::Random From(Seed);
  std::vector<float> A(size_t(N) * N);
  for (int I = 0; I < N; ++I)
    for (int J = 0; J <= I; ++J) {
      float Each = float(From.uniform(-1, 1));
      A[size_t(I) * N + J] = A[size_t(J) * N + I] = Each;
    }
  for (int I = 0; I < N; ++I)
    A[size_t(I) * N + I] = float(From.uniform(0.75, 1) * N + 1);
  return A;
}

/// Holds A against the product of Lower(I, K), K <= I, and Upper(K, J), K <= J,
/// at the elements for which Wanted(I, J).
template <typename L, typename U, typename W>
void expectProduct(Run &Run, int N, const std::vector<float> &A, L Lower,
                   U Upper, W Wanted) {
  std::vector<double> Sum(N), Size(N);
  for (int I = 0; I < N; ++I) {
    std::fill(Sum.begin(), Sum.end(), 0);
    std::fill(Size.begin(), Size.end(), 0);
    for (int K = 0; K <= I; ++K) {
      double Factor = Lower(I, K);
      for (int J = K; J < N; ++J) {
        double Term = Factor * Upper(K, J);
        Sum[J] += Term;
        Size[J] += std::fabs(Term);
      }
    }
    for (int J = 0; J < N; ++J) {
      double Roundings = (std::min(I, J) + 3) * 0x1p-24;
      double Bound = Roundings / (1 - Roundings) * Size[J] + 1e-35;
      if (Wanted(I, J))
        Run.expect("product of the factors", size_t(I) * N + J, Sum[J],
                   A[size_t(I) * N + J], Bound);
    }
  }
}

} // namespace tasks

#endif
