// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products of matrices as they are defined, to compare a library's with.

#ifndef BLAS_H
#define BLAS_H

#include <cmath>
#include <complex>
#include <vector>

namespace reference {

enum Operation { N_, T_, C_ };

template <typename T> T conjugate(T Value) { return Value; }
template <typename R> std::complex<R> conjugate(std::complex<R> Value) {
  return std::conj(Value);
}

inline void take(int Number, float &To) { To = float(Number); }
inline void take(int Number, double &To) { To = Number; }
template <typename R> void take(int Number, std::complex<R> &To) {
  To = {R(Number), R(Number % 3 - 1)};
}

/// Small whole numbers, others for each seed.
template <typename T> std::vector<T> values(int Count, unsigned Seed) {
  std::vector<T> Out(Count);
  for (T &Each : Out) {
    Seed = Seed * 1664525u + 1013904223u;
    take(int(Seed >> 16) % 7 - 3, Each);
  }
  return Out;
}

template <typename T>
T element(Operation Op, const std::vector<T> &A, int Leading, int Row,
          int Column) {
  if (Op == N_)
    return A[Column * Leading + Row];
  const T Value = A[Row * Leading + Column];
  return Op == C_ ? conjugate(Value) : Value;
}

/// C = alpha op(A) op(B) + beta C, column by column.
template <typename T>
void gemm(Operation OpA, Operation OpB, int M, int N, int K, T Alpha,
          const std::vector<T> &A, int Lda, const std::vector<T> &B, int Ldb,
          T Beta, std::vector<T> &C, int Ldc) {
  for (int Column = 0; Column < N; ++Column)
    for (int Row = 0; Row < M; ++Row) {
      T Sum = T();
      for (int I = 0; I < K; ++I)
        Sum += element(OpA, A, Lda, Row, I) * element(OpB, B, Ldb, I, Column);
      T &To = C[Column * Ldc + Row];
      To = Alpha * Sum + (Beta == T() ? T() : Beta * To);
    }
}

/// Whether all are the same but for a rounding of each step.
template <typename T>
bool close(const std::vector<T> &A, const std::vector<T> &B,
           double Tolerance = 1e-4) {
  if (A.size() != B.size())
    return false;
  for (size_t I = 0; I < A.size(); ++I)
    if (!(std::abs(A[I] - B[I]) <= Tolerance * (1 + std::abs(B[I]))))
      return false;
  return true;
}

} // namespace reference

#endif
