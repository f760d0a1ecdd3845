// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Level 2: symmetric and Hermitian matrices, and vectors. CBLAS has the
// symmetric ones of real numbers and the Hermitian ones; symmetric ones of
// complex numbers are here.

#include "BlasCall.h"
#include "BlasFunctions.h"

#include <algorithm>

namespace blockmaestro::blas {
namespace {

template <typename T> struct Steps {
  T *First;
  int64_t Step;
  Steps(T *P, int64_t N, int64_t Step)
      : First(Step < 0 ? P - (N - 1) * Step : P), Step(Step) {}
  T &operator[](int64_t I) const { return First[I * Step]; }
};

/// Whether row and column are in the triangle.
bool within(cublasFillMode_t Mode, int64_t Row, int64_t Column) {
  return Mode == CUBLAS_FILL_MODE_UPPER ? Row <= Column : Row >= Column;
}

/// Y = alpha A X + beta Y, of a symmetric A of complex numbers.
template <typename T>
void multiply(cublasFillMode_t Mode, int64_t N, T Alpha, const T *A,
              int64_t Lda, Steps<const T> X, T Beta, Steps<T> Y) {
  for (int64_t Row = 0; Row < N; ++Row) {
    T Sum = T();
    for (int64_t Column = 0; Column < N; ++Column)
      Sum += (within(Mode, Row, Column) ? A[Column * Lda + Row]
                                        : A[Row * Lda + Column]) *
             X[Column];
    Y[Row] = Alpha * Sum + (Beta == T() ? T() : Beta * Y[Row]);
  }
}

template <typename C, bool Hermitian, Literal Stem, typename I>
cublasStatus_t anySymv(cublasHandle_t H, cublasFillMode_t Mode, I N,
                       const C *Alpha, const C *A, I Lda, const C *X, I StepX,
                       const C *Beta, C *Y, I StepY) {
  using T = Native<C>;
  const bool Right = valid(Mode) && N >= 0 && Lda >= std::max<I>(1, N) &&
                     StepX != 0 && StepY != 0 && Alpha && Beta;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, Lda, StepX, StepY)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::matrix(A, N, N, Lda));
  Call.reads(BlasCall::vector(X, N, StepX));
  Call.updates(BlasCall::vector(Y, N, StepY));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     X = native(X), Y = native(Y)] {
    if constexpr (IsComplex<T> && !Hermitian)
      multiply<T>(Mode, N, By.get(), A, Lda, {X, N, StepX}, Keep.get(),
                  {Y, N, StepY});
    else
      cblas<T>().Symv(ColumnMajor, forCblas(Mode), int(N), forCblas(By.get()),
                      A, int(Lda), X, int(StepX), forCblas(Keep.get()), Y,
                      int(StepY));
  });
}
template <typename C, typename I>
cublasStatus_t symv(cublasHandle_t H, cublasFillMode_t Mode, I N,
                    const C *Alpha, const C *A, I Lda, const C *X, I StepX,
                    const C *Beta, C *Y, I StepY) {
  return anySymv<C, false, "symv">(H, Mode, N, Alpha, A, Lda, X, StepX, Beta, Y,
                                   StepY);
}
template <typename C, typename I>
cublasStatus_t hemv(cublasHandle_t H, cublasFillMode_t Mode, I N,
                    const C *Alpha, const C *A, I Lda, const C *X, I StepX,
                    const C *Beta, C *Y, I StepY) {
  return anySymv<C, true, "hemv">(H, Mode, N, Alpha, A, Lda, X, StepX, Beta, Y,
                                  StepY);
}

/// Of real numbers symmetric, of complex ones Hermitian.
template <typename C, typename I>
cublasStatus_t sbmv(cublasHandle_t H, cublasFillMode_t Mode, I N, I Band,
                    const C *Alpha, const C *A, I Lda, const C *X, I StepX,
                    const C *Beta, C *Y, I StepY) {
  const bool Right = valid(Mode) && N >= 0 && Band >= 0 && Lda >= Band + 1 &&
                     StepX != 0 && StepY != 0 && Alpha && Beta;
  if (cublasStatus_t Bad =
          refusal(H, Right, fitInt(N, Band, Lda, StepX, StepY)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, IsComplex<Native<C>> ? callName<C, "hbmv">()
                                        : callName<C, "sbmv">());
  Call.reads(BlasCall::matrix(A, Band + 1, N, Lda));
  Call.reads(BlasCall::vector(X, N, StepX));
  Call.updates(BlasCall::vector(Y, N, StepY));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     X = native(X), Y = native(Y)] {
    cblas<Native<C>>().Sbmv(ColumnMajor, forCblas(Mode), int(N), int(Band),
                            forCblas(By.get()), A, int(Lda), X, int(StepX),
                            forCblas(Keep.get()), Y, int(StepY));
  });
}

template <typename C, typename I>
cublasStatus_t spmv(cublasHandle_t H, cublasFillMode_t Mode, I N,
                    const C *Alpha, const C *A, const C *X, I StepX,
                    const C *Beta, C *Y, I StepY) {
  const bool Right =
      valid(Mode) && N >= 0 && StepX != 0 && StepY != 0 && Alpha && Beta;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, StepX, StepY)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, IsComplex<Native<C>> ? callName<C, "hpmv">()
                                        : callName<C, "spmv">());
  Call.reads(BlasCall::packed(A, N));
  Call.reads(BlasCall::vector(X, N, StepX));
  Call.updates(BlasCall::vector(Y, N, StepY));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     X = native(X), Y = native(Y)] {
    cblas<Native<C>>().Spmv(ColumnMajor, forCblas(Mode), int(N),
                            forCblas(By.get()), A, X, int(StepX),
                            forCblas(Keep.get()), Y, int(StepY));
  });
}

/// A += alpha X X^T, of complex numbers.
template <typename T>
void addSquare(cublasFillMode_t Mode, int64_t N, T Alpha, Steps<const T> X,
               T *A, int64_t Lda) {
  for (int64_t Column = 0; Column < N; ++Column)
    for (int64_t Row = 0; Row < N; ++Row)
      if (within(Mode, Row, Column))
        A[Column * Lda + Row] += Alpha * X[Row] * X[Column];
}

template <typename C, bool Hermitian, Literal Stem, typename F, typename I>
cublasStatus_t anySyr(cublasHandle_t H, cublasFillMode_t Mode, I N,
                      const F *Alpha, const C *X, I Step, C *A, I Lda) {
  using T = Native<C>;
  const bool Right =
      valid(Mode) && N >= 0 && Step != 0 && Lda >= std::max<I>(1, N) && Alpha;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, Step, Lda)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::vector(X, N, Step));
  Call.updates(BlasCall::matrix(A, N, N, Lda));
  return Call.issue(
      [=, By = Call.scalar(native(Alpha)), X = native(X), A = native(A)] {
        if constexpr (IsComplex<T> && !Hermitian)
          addSquare<T>(Mode, N, By.get(), {X, N, Step}, A, Lda);
        else
          cblas<T>().Syr(ColumnMajor, forCblas(Mode), int(N), By.get(), X,
                         int(Step), A, int(Lda));
      });
}
template <typename C, typename I>
cublasStatus_t syr(cublasHandle_t H, cublasFillMode_t Mode, I N, const C *Alpha,
                   const C *X, I Step, C *A, I Lda) {
  return anySyr<C, false, "syr">(H, Mode, N, Alpha, X, Step, A, Lda);
}
template <typename C, typename I>
cublasStatus_t her(cublasHandle_t H, cublasFillMode_t Mode, I N,
                   const Real<Native<C>> *Alpha, const C *X, I Step, C *A,
                   I Lda) {
  return anySyr<C, true, "her">(H, Mode, N, Alpha, X, Step, A, Lda);
}

template <typename C, typename I>
cublasStatus_t spr(cublasHandle_t H, cublasFillMode_t Mode, I N,
                   const Real<Native<C>> *Alpha, const C *X, I Step, C *A) {
  const bool Right = valid(Mode) && N >= 0 && Step != 0 && Alpha;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, Step)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, IsComplex<Native<C>> ? callName<C, "hpr">()
                                        : callName<C, "spr">());
  Call.reads(BlasCall::vector(X, N, Step));
  Call.updates(BlasCall::packed(A, N));
  return Call.issue([=, By = Call.scalar(Alpha), X = native(X), A = native(A)] {
    cblas<Native<C>>().Spr(ColumnMajor, forCblas(Mode), int(N), By.get(), X,
                           int(Step), A);
  });
}

/// A += alpha (X Y^T + Y X^T), of complex numbers.
template <typename T>
void addBoth(cublasFillMode_t Mode, int64_t N, T Alpha, Steps<const T> X,
             Steps<const T> Y, T *A, int64_t Lda) {
  for (int64_t Column = 0; Column < N; ++Column)
    for (int64_t Row = 0; Row < N; ++Row)
      if (within(Mode, Row, Column))
        A[Column * Lda + Row] +=
            Alpha * (X[Row] * Y[Column] + Y[Row] * X[Column]);
}

template <typename C, bool Hermitian, Literal Stem, typename I>
cublasStatus_t anySyr2(cublasHandle_t H, cublasFillMode_t Mode, I N,
                       const C *Alpha, const C *X, I StepX, const C *Y, I StepY,
                       C *A, I Lda) {
  using T = Native<C>;
  const bool Right = valid(Mode) && N >= 0 && StepX != 0 && StepY != 0 &&
                     Lda >= std::max<I>(1, N) && Alpha;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, StepX, StepY, Lda)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::vector(X, N, StepX));
  Call.reads(BlasCall::vector(Y, N, StepY));
  Call.updates(BlasCall::matrix(A, N, N, Lda));
  return Call.issue([=, By = Call.scalar(native(Alpha)), X = native(X),
                     Y = native(Y), A = native(A)] {
    if constexpr (IsComplex<T> && !Hermitian)
      addBoth<T>(Mode, N, By.get(), {X, N, StepX}, {Y, N, StepY}, A, Lda);
    else
      cblas<T>().Syr2(ColumnMajor, forCblas(Mode), int(N), forCblas(By.get()),
                      X, int(StepX), Y, int(StepY), A, int(Lda));
  });
}
template <typename C, typename I>
cublasStatus_t syr2(cublasHandle_t H, cublasFillMode_t Mode, I N,
                    const C *Alpha, const C *X, I StepX, const C *Y, I StepY,
                    C *A, I Lda) {
  return anySyr2<C, false, "syr2">(H, Mode, N, Alpha, X, StepX, Y, StepY, A,
                                   Lda);
}
template <typename C, typename I>
cublasStatus_t her2(cublasHandle_t H, cublasFillMode_t Mode, I N,
                    const C *Alpha, const C *X, I StepX, const C *Y, I StepY,
                    C *A, I Lda) {
  return anySyr2<C, true, "her2">(H, Mode, N, Alpha, X, StepX, Y, StepY, A,
                                  Lda);
}

template <typename C, typename I>
cublasStatus_t spr2(cublasHandle_t H, cublasFillMode_t Mode, I N,
                    const C *Alpha, const C *X, I StepX, const C *Y, I StepY,
                    C *A) {
  const bool Right = valid(Mode) && N >= 0 && StepX != 0 && StepY != 0 && Alpha;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, StepX, StepY)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, IsComplex<Native<C>> ? callName<C, "hpr2">()
                                        : callName<C, "spr2">());
  Call.reads(BlasCall::vector(X, N, StepX));
  Call.reads(BlasCall::vector(Y, N, StepY));
  Call.updates(BlasCall::packed(A, N));
  return Call.issue([=, By = Call.scalar(native(Alpha)), X = native(X),
                     Y = native(Y), A = native(A)] {
    cblas<Native<C>>().Spr2(ColumnMajor, forCblas(Mode), int(N),
                            forCblas(By.get()), X, int(StepX), Y, int(StepY),
                            A);
  });
}

} // namespace

Rows symmetricVectorRows() {
  return {BM_ALL(symv, _v2, symv),  BM_COMPLEX(hemv, _v2, hemv),
          BM_REAL(sbmv, _v2, sbmv), BM_COMPLEX(hbmv, _v2, sbmv),
          BM_REAL(spmv, _v2, spmv), BM_COMPLEX(hpmv, _v2, spmv),
          BM_ALL(syr, _v2, syr),    BM_COMPLEX(her, _v2, her),
          BM_REAL(spr, _v2, spr),   BM_COMPLEX(hpr, _v2, spr),
          BM_ALL(syr2, _v2, syr2),  BM_COMPLEX(her2, _v2, her2),
          BM_REAL(spr2, _v2, spr2), BM_COMPLEX(hpr2, _v2, spr2)};
}

} // namespace blockmaestro::blas
