// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Level 2: triangular matrices, and vectors.

#include "BlasCall.h"
#include "BlasFunctions.h"

#include <algorithm>

namespace blockmaestro::blas {
namespace {

/// What all of these calls are told of their matrix.
struct TriangularMatrix {
  cublasFillMode_t Mode;
  cublasOperation_t Op;
  cublasDiagType_t Diagonal;
  bool right() const { return valid(Mode) && valid(Op) && valid(Diagonal); }
};

/// A full matrix; Function is a member of Cblas.
template <typename C, auto Function, Literal Stem, typename I>
cublasStatus_t full(cublasHandle_t H, TriangularMatrix T, I N, const C *A,
                    I Lda, C *X, I Step) {
  const bool Right =
      T.right() && N >= 0 && Lda >= std::max<I>(1, N) && Step != 0;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, Lda, Step)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::matrix(A, N, N, Lda));
  Call.updates(BlasCall::vector(X, N, Step));
  return Call.issue([=, A = native(A), X = native(X)] {
    (cblas<Native<C>>().*Function)(ColumnMajor, forCblas(T.Mode),
                                   forCblas(T.Op), forCblas(T.Diagonal), int(N),
                                   A, int(Lda), X, int(Step));
  });
}

template <typename C, auto Function, Literal Stem, typename I>
cublasStatus_t banded(cublasHandle_t H, TriangularMatrix T, I N, I Band,
                      const C *A, I Lda, C *X, I Step) {
  const bool Right =
      T.right() && N >= 0 && Band >= 0 && Lda >= Band + 1 && Step != 0;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, Band, Lda, Step)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::matrix(A, Band + 1, N, Lda));
  Call.updates(BlasCall::vector(X, N, Step));
  return Call.issue([=, A = native(A), X = native(X)] {
    (cblas<Native<C>>().*Function)(ColumnMajor, forCblas(T.Mode),
                                   forCblas(T.Op), forCblas(T.Diagonal), int(N),
                                   int(Band), A, int(Lda), X, int(Step));
  });
}

template <typename C, auto Function, Literal Stem, typename I>
cublasStatus_t packed(cublasHandle_t H, TriangularMatrix T, I N, const C *A,
                      C *X, I Step) {
  const bool Right = T.right() && N >= 0 && Step != 0;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, Step)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::packed(A, N));
  Call.updates(BlasCall::vector(X, N, Step));
  return Call.issue([=, A = native(A), X = native(X)] {
    (cblas<Native<C>>().*Function)(ColumnMajor, forCblas(T.Mode),
                                   forCblas(T.Op), forCblas(T.Diagonal), int(N),
                                   A, X, int(Step));
  });
}

#define BM_FULL(Name, Member)                                                  \
  template <typename C, typename I>                                            \
  cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Mode,                 \
                      cublasOperation_t Op, cublasDiagType_t Diagonal, I N,    \
                      const C *A, I Lda, C *X, I Step) {                       \
    return full<C, &Cblas<Native<C>>::Member, #Name>(H, {Mode, Op, Diagonal},  \
                                                     N, A, Lda, X, Step);      \
  }
BM_FULL(trmv, Trmv)
BM_FULL(trsv, Trsv)
#undef BM_FULL

#define BM_BANDED(Name, Member)                                                \
  template <typename C, typename I>                                            \
  cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Mode,                 \
                      cublasOperation_t Op, cublasDiagType_t Diagonal, I N,    \
                      I Band, const C *A, I Lda, C *X, I Step) {               \
    return banded<C, &Cblas<Native<C>>::Member, #Name>(                        \
        H, {Mode, Op, Diagonal}, N, Band, A, Lda, X, Step);                    \
  }
BM_BANDED(tbmv, Tbmv)
BM_BANDED(tbsv, Tbsv)
#undef BM_BANDED

#define BM_PACKED(Name, Member)                                                \
  template <typename C, typename I>                                            \
  cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Mode,                 \
                      cublasOperation_t Op, cublasDiagType_t Diagonal, I N,    \
                      const C *A, C *X, I Step) {                              \
    return packed<C, &Cblas<Native<C>>::Member, #Name>(                        \
        H, {Mode, Op, Diagonal}, N, A, X, Step);                               \
  }
BM_PACKED(tpmv, Tpmv)
BM_PACKED(tpsv, Tpsv)
#undef BM_PACKED

} // namespace

Rows triangularRows() {
  return {BM_ALL(trmv, _v2, trmv), BM_ALL(trsv, _v2, trsv),
          BM_ALL(tbmv, _v2, tbmv), BM_ALL(tbsv, _v2, tbsv),
          BM_ALL(tpmv, _v2, tpmv), BM_ALL(tpsv, _v2, tpsv)};
}

} // namespace blockmaestro::blas
