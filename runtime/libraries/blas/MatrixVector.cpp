// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Level 2: general matrices, and vectors.

#include "BlasCall.h"
#include "BlasFunctions.h"

#include <algorithm>

namespace blockmaestro::blas {
namespace {

template <typename I> I most(I Value) { return std::max<I>(1, Value); }

template <typename C, typename I>
cublasStatus_t gemv(cublasHandle_t H, cublasOperation_t Op, I M, I N,
                    const C *Alpha, const C *A, I Lda, const C *X, I StepX,
                    const C *Beta, C *Y, I StepY) {
  const bool Right = valid(Op) && M >= 0 && N >= 0 && Lda >= most(M) &&
                     StepX != 0 && StepY != 0 && Alpha && Beta;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(M, N, Lda, StepX, StepY)))
    return Bad;
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, "gemv">());
  const bool Plain = Op == CUBLAS_OP_N;
  Call.reads(BlasCall::matrix(A, M, N, Lda));
  Call.reads(BlasCall::vector(X, Plain ? N : M, StepX));
  Call.updates(BlasCall::vector(Y, Plain ? M : N, StepY));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     X = native(X), Y = native(Y)] {
    cblas<Native<C>>().Gemv(ColumnMajor, forCblas(Op), int(M), int(N),
                            forCblas(By.get()), A, int(Lda), X, int(StepX),
                            forCblas(Keep.get()), Y, int(StepY));
  });
}

template <typename C, typename I>
cublasStatus_t gemvStrided(cublasHandle_t H, cublasOperation_t Op, I M, I N,
                           const C *Alpha, const C *A, I Lda, long long StrideA,
                           const C *X, I StepX, long long StrideX,
                           const C *Beta, C *Y, I StepY, long long StrideY,
                           I Batch) {
  const bool Right = valid(Op) && M >= 0 && N >= 0 && Lda >= most(M) &&
                     StepX != 0 && StepY != 0 && Alpha && Beta && Batch >= 0;
  if (cublasStatus_t Bad =
          refusal(H, Right, fitInt(M, N, Lda, StepX, StepY, Batch)))
    return Bad;
  if (M == 0 || N == 0 || Batch == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, "gemvStridedBatched">());
  const bool Plain = Op == CUBLAS_OP_N;
  constexpr auto Bytes = (long long)(sizeof(C));
  Call.reads(batchOf(BlasCall::matrix(A, M, N, Lda), Batch, StrideA * Bytes));
  Call.reads(batchOf(BlasCall::vector(X, Plain ? N : M, StepX), Batch,
                     StrideX * Bytes));
  Call.updates(batchOf(BlasCall::vector(Y, Plain ? M : N, StepY), Batch,
                       StrideY * Bytes));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     X = native(X), Y = native(Y)] {
    for (I B = 0; B < Batch; ++B)
      cblas<Native<C>>().Gemv(ColumnMajor, forCblas(Op), int(M), int(N),
                              forCblas(By.get()), A + B * StrideA, int(Lda),
                              X + B * StrideX, int(StepX), forCblas(Keep.get()),
                              Y + B * StrideY, int(StepY));
  });
}

template <typename C, typename I>
cublasStatus_t gemvBatched(cublasHandle_t H, cublasOperation_t Op, I M, I N,
                           const C *Alpha, const C *const A[], I Lda,
                           const C *const X[], I StepX, const C *Beta,
                           C *const Y[], I StepY, I Batch) {
  const bool Right = valid(Op) && M >= 0 && N >= 0 && Lda >= most(M) &&
                     StepX != 0 && StepY != 0 && Alpha && Beta && Batch >= 0;
  if (cublasStatus_t Bad =
          refusal(H, Right, fitInt(M, N, Lda, StepX, StepY, Batch)))
    return Bad;
  if (M == 0 || N == 0 || Batch == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, "gemvBatched">());
  const bool Plain = Op == CUBLAS_OP_N;
  Call.pointers(A, Batch);
  Call.pointers(X, Batch);
  Call.pointers(Y, Batch);
  return Call.issueChecked([=, By = Call.scalar(native(Alpha)),
                            Keep = Call.scalar(native(Beta))](
                               const MayTouch &May) -> Status {
    for (I B = 0; B < Batch; ++B) {
      Reachable Seen(May, callName<C, "gemvBatched">());
      Seen.needs(BlasCall::matrix(A[B], M, N, Lda));
      Seen.needs(BlasCall::vector(X[B], Plain ? N : M, StepX));
      Seen.needs(BlasCall::vector(Y[B], Plain ? M : N, StepY));
      if (!Seen.status().ok())
        return Seen.status();
      cblas<Native<C>>().Gemv(ColumnMajor, forCblas(Op), int(M), int(N),
                              forCblas(By.get()), native(A[B]), int(Lda),
                              native(X[B]), int(StepX), forCblas(Keep.get()),
                              native(Y[B]), int(StepY));
    }
    return Status();
  });
}

template <typename C, typename I>
cublasStatus_t gbmv(cublasHandle_t H, cublasOperation_t Op, I M, I N, I Below,
                    I Above, const C *Alpha, const C *A, I Lda, const C *X,
                    I StepX, const C *Beta, C *Y, I StepY) {
  const bool Right = valid(Op) && M >= 0 && N >= 0 && Below >= 0 &&
                     Above >= 0 && Lda >= Below + Above + 1 && StepX != 0 &&
                     StepY != 0 && Alpha && Beta;
  if (cublasStatus_t Bad =
          refusal(H, Right, fitInt(M, N, Below, Above, Lda, StepX, StepY)))
    return Bad;
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, "gbmv">());
  const bool Plain = Op == CUBLAS_OP_N;
  Call.reads(BlasCall::matrix(A, Below + Above + 1, N, Lda));
  Call.reads(BlasCall::vector(X, Plain ? N : M, StepX));
  Call.updates(BlasCall::vector(Y, Plain ? M : N, StepY));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     X = native(X), Y = native(Y)] {
    cblas<Native<C>>().Gbmv(ColumnMajor, forCblas(Op), int(M), int(N),
                            int(Below), int(Above), forCblas(By.get()), A,
                            int(Lda), X, int(StepX), forCblas(Keep.get()), Y,
                            int(StepY));
  });
}

template <bool Conjugates, typename T>
void addProduct(int64_t M, int64_t N, T Alpha, const T *X, int64_t StepX,
                const T *Y, int64_t StepY, T *A, int64_t Lda) {
  const T *FirstX = StepX < 0 ? X - (M - 1) * StepX : X;
  const T *FirstY = StepY < 0 ? Y - (N - 1) * StepY : Y;
  for (int64_t Column = 0; Column < N; ++Column) {
    T Factor = FirstY[Column * StepY];
    if constexpr (Conjugates && IsComplex<T>)
      Factor = std::conj(Factor);
    Factor *= Alpha;
    for (int64_t Row = 0; Row < M; ++Row)
      A[Column * Lda + Row] += FirstX[Row * StepX] * Factor;
  }
}

template <typename C, bool Conjugates, Literal Stem, typename I>
cublasStatus_t anyGer(cublasHandle_t H, I M, I N, const C *Alpha, const C *X,
                      I StepX, const C *Y, I StepY, C *A, I Lda) {
  const bool Right =
      M >= 0 && N >= 0 && StepX != 0 && StepY != 0 && Lda >= most(M) && Alpha;
  if (cublasStatus_t Bad = refusal(H, Right))
    return Bad;
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::vector(X, M, StepX));
  Call.reads(BlasCall::vector(Y, N, StepY));
  Call.updates(BlasCall::matrix(A, M, N, Lda));
  return Call.issue([=, By = Call.scalar(native(Alpha)), X = native(X),
                     Y = native(Y), A = native(A)] {
    addProduct<Conjugates>(M, N, By.get(), X, StepX, Y, StepY, A, Lda);
  });
}
template <typename C, typename I>
cublasStatus_t ger(cublasHandle_t H, I M, I N, const C *Alpha, const C *X,
                   I StepX, const C *Y, I StepY, C *A, I Lda) {
  return anyGer<C, false, "ger">(H, M, N, Alpha, X, StepX, Y, StepY, A, Lda);
}
template <typename C, typename I>
cublasStatus_t geru(cublasHandle_t H, I M, I N, const C *Alpha, const C *X,
                    I StepX, const C *Y, I StepY, C *A, I Lda) {
  return anyGer<C, false, "geru">(H, M, N, Alpha, X, StepX, Y, StepY, A, Lda);
}
template <typename C, typename I>
cublasStatus_t gerc(cublasHandle_t H, I M, I N, const C *Alpha, const C *X,
                    I StepX, const C *Y, I StepY, C *A, I Lda) {
  return anyGer<C, true, "gerc">(H, M, N, Alpha, X, StepX, Y, StepY, A, Lda);
}

} // namespace

Rows matrixVectorRows() {
  return {BM_ALL(gemv, _v2, gemv),
          BM_ALL(gemvStridedBatched, , gemvStrided),
          BM_ALL(gemvBatched, , gemvBatched),
          BM_ALL(gbmv, _v2, gbmv),
          BM_REAL(ger, _v2, ger),
          BM_COMPLEX(geru, _v2, geru),
          BM_COMPLEX(gerc, _v2, gerc)};
}

} // namespace blockmaestro::blas
