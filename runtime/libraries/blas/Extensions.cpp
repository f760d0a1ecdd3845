// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What cuBLAS has beyond BLAS: sums of matrices, products with a diagonal,
// triangles packed and not.

#include "BlasCall.h"
#include "BlasFunctions.h"

#include <algorithm>

namespace blockmaestro::blas {
namespace {

/// Element (Row, Column) of op(A).
template <typename T> struct Transposable {
  const T *A;
  int64_t Leading;
  cublasOperation_t Op;

  T at(int64_t Row, int64_t Column) const {
    if (Op == CUBLAS_OP_N)
      return A[Column * Leading + Row];
    T Value = A[Row * Leading + Column];
    if constexpr (IsComplex<T>)
      if (Op == CUBLAS_OP_C)
        return std::conj(Value);
    return Value;
  }
};

/// Factor times the element, which is not looked at where the factor is 0.
template <typename T>
T part(const T &Factor, const Transposable<T> &Of, int64_t Row,
       int64_t Column) {
  return Factor == T() ? T() : Factor * Of.at(Row, Column);
}

/// Out may be A or B where that is not transposed.
template <typename C, typename I>
cublasStatus_t geam(cublasHandle_t H, cublasOperation_t OpA,
                    cublasOperation_t OpB, I M, I N, const C *Alpha, const C *A,
                    I Lda, const C *Beta, const C *B, I Ldb, C *Out, I Ldc) {
  using T = Native<C>;
  const I RowsA = OpA == CUBLAS_OP_N ? M : N,
          RowsB = OpB == CUBLAS_OP_N ? M : N;
  auto InPlace = [&](const C *From, cublasOperation_t Op, I Leading) {
    return From != Out || (Op == CUBLAS_OP_N && Leading == Ldc);
  };
  const bool Right = valid(OpA) && valid(OpB) && M >= 0 && N >= 0 &&
                     Lda >= std::max<I>(1, RowsA) &&
                     Ldb >= std::max<I>(1, RowsB) && Ldc >= std::max<I>(1, M) &&
                     Alpha && Beta && InPlace(A, OpA, Lda) &&
                     InPlace(B, OpB, Ldb);
  if (cublasStatus_t Bad = refusal(H, Right))
    return Bad;
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, "geam">());
  const auto By = Call.scalar(native(Alpha)), And = Call.scalar(native(Beta));
  if (By.OnDevice || By.Value != T())
    Call.reads(BlasCall::matrix(A, RowsA, M + N - RowsA, Lda));
  if (And.OnDevice || And.Value != T())
    Call.reads(BlasCall::matrix(B, RowsB, M + N - RowsB, Ldb));
  Call.writes(BlasCall::matrix(Out, M, N, Ldc));
  return Call.issue([=, First = Transposable<T>{native(A), Lda, OpA},
                     Second = Transposable<T>{native(B), Ldb, OpB},
                     Out = native(Out)] {
    const T FactorA = By.get(), FactorB = And.get();
    for (I Column = 0; Column < N; ++Column)
      for (I Row = 0; Row < M; ++Row)
        Out[Column * Ldc + Row] = part(FactorA, First, Row, Column) +
                                  part(FactorB, Second, Row, Column);
  });
}

template <typename C, typename I>
cublasStatus_t dgmm(cublasHandle_t H, cublasSideMode_t Side, I M, I N,
                    const C *A, I Lda, const C *X, I Step, C *Out, I Ldc) {
  const bool Right = valid(Side) && M >= 0 && N >= 0 &&
                     Lda >= std::max<I>(1, M) && Ldc >= std::max<I>(1, M);
  if (cublasStatus_t Bad = refusal(H, Right))
    return Bad;
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  const I Length = Side == CUBLAS_SIDE_LEFT ? M : N;
  BlasCall Call(H, callName<C, "dgmm">());
  Call.reads(BlasCall::matrix(A, M, N, Lda));
  Call.reads(BlasCall::vector(X, Length, Step));
  Call.writes(BlasCall::matrix(Out, M, N, Ldc));
  return Call.issue([=, A = native(A), Out = native(Out),
                     First = native(X) + (Step < 0 ? (1 - Length) * Step : 0)] {
    for (I Column = 0; Column < N; ++Column)
      for (I Row = 0; Row < M; ++Row)
        Out[Column * Ldc + Row] =
            A[Column * Lda + Row] *
            First[(Side == CUBLAS_SIDE_LEFT ? Row : Column) * Step];
  });
}

/// Calls Each with rows and columns of a triangle in the order of packed ones.
template <typename Body>
void overTriangle(cublasFillMode_t Mode, int64_t N, Body Each) {
  for (int64_t Column = 0; Column < N; ++Column) {
    const bool Upper = Mode == CUBLAS_FILL_MODE_UPPER;
    for (int64_t Row = Upper ? 0 : Column; Row <= (Upper ? Column : N - 1);
         ++Row)
      Each(Row, Column);
  }
}

template <typename C>
cublasStatus_t tpttr(cublasHandle_t H, cublasFillMode_t Mode, int N,
                     const C *Packed, C *A, int Lda) {
  if (cublasStatus_t Bad =
          refusal(H, valid(Mode) && N >= 0 && Lda >= std::max(1, N)))
    return Bad;
  BlasCall Call(H, callName<C, "tpttr">());
  Call.reads(BlasCall::packed(Packed, N));
  Call.updates(BlasCall::matrix(A, N, N, Lda));
  return Call.issue([=] {
    const C *From = Packed;
    overTriangle(Mode, N, [&](int64_t Row, int64_t Column) {
      A[Column * Lda + Row] = *From++;
    });
  });
}

template <typename C>
cublasStatus_t trttp(cublasHandle_t H, cublasFillMode_t Mode, int N, const C *A,
                     int Lda, C *Packed) {
  if (cublasStatus_t Bad =
          refusal(H, valid(Mode) && N >= 0 && Lda >= std::max(1, N)))
    return Bad;
  BlasCall Call(H, callName<C, "trttp">());
  Call.reads(BlasCall::matrix(A, N, N, Lda));
  Call.writes(BlasCall::packed(Packed, N));
  return Call.issue([=] {
    C *To = Packed;
    overTriangle(Mode, N, [&](int64_t Row, int64_t Column) {
      *To++ = A[Column * Lda + Row];
    });
  });
}

#define BM_ONE_FORM(Name)                                                      \
  BM_STAND_IN(cublasS##Name, Name<float>),                                     \
      BM_STAND_IN(cublasD##Name, Name<double>),                                \
      BM_STAND_IN(cublasC##Name, Name<cuComplex>),                             \
      BM_STAND_IN(cublasZ##Name, Name<cuDoubleComplex>)

} // namespace

Rows extensionRows() {
  return {BM_ALL(geam, , geam), BM_ALL(dgmm, , dgmm), BM_ONE_FORM(tpttr),
          BM_ONE_FORM(trttp)};
}

} // namespace blockmaestro::blas
