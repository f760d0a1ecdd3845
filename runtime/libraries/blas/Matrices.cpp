// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Level 3, but for the product of general matrices.

#include "BlasCall.h"
#include "BlasFunctions.h"

#include <algorithm>
#include <vector>

namespace blockmaestro::blas {
namespace {

template <typename I> bool holds(I Leading, I Rows) {
  return Leading >= std::max<I>(1, Rows);
}

template <typename C, auto Function, Literal Stem, typename I>
cublasStatus_t anySymm(cublasHandle_t H, cublasSideMode_t Side,
                       cublasFillMode_t Mode, I M, I N, const C *Alpha,
                       const C *A, I Lda, const C *B, I Ldb, const C *Beta,
                       C *Out, I Ldc) {
  const I Order = Side == CUBLAS_SIDE_LEFT ? M : N;
  const bool Right = valid(Side) && valid(Mode) && M >= 0 && N >= 0 &&
                     holds(Lda, Order) && holds(Ldb, M) && holds(Ldc, M) &&
                     Alpha && Beta;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(M, N, Lda, Ldb, Ldc)))
    return Bad;
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::matrix(A, Order, Order, Lda));
  Call.reads(BlasCall::matrix(B, M, N, Ldb));
  Call.updates(BlasCall::matrix(Out, M, N, Ldc));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     B = native(B), Out = native(Out)] {
    (cblas<Native<C>>().*Function)(ColumnMajor, forCblas(Side), forCblas(Mode),
                                   int(M), int(N), forCblas(By.get()), A,
                                   int(Lda), B, int(Ldb), forCblas(Keep.get()),
                                   Out, int(Ldc));
  });
}
template <typename C, typename I>
cublasStatus_t symm(cublasHandle_t H, cublasSideMode_t Side,
                    cublasFillMode_t Mode, I M, I N, const C *Alpha, const C *A,
                    I Lda, const C *B, I Ldb, const C *Beta, C *Out, I Ldc) {
  return anySymm<C, &Cblas<Native<C>>::Symm, "symm">(
      H, Side, Mode, M, N, Alpha, A, Lda, B, Ldb, Beta, Out, Ldc);
}
template <typename C, typename I>
cublasStatus_t hemm(cublasHandle_t H, cublasSideMode_t Side,
                    cublasFillMode_t Mode, I M, I N, const C *Alpha, const C *A,
                    I Lda, const C *B, I Ldb, const C *Beta, C *Out, I Ldc) {
  return anySymm<C, &Cblas<Native<C>>::Hemm, "hemm">(
      H, Side, Mode, M, N, Alpha, A, Lda, B, Ldb, Beta, Out, Ldc);
}

/// What is transposed where a symmetric product is asked for transposed, and a
/// Hermitian one: for real numbers both are the same.
template <typename T>
bool allows(cublasOperation_t Op, cublasOperation_t Transposed) {
  return Op == CUBLAS_OP_N || Op == Transposed ||
         (!IsComplex<T> && Op == CUBLAS_OP_C);
}

template <typename C, auto Function, Literal Stem, typename F, typename I>
cublasStatus_t anySyrk(cublasHandle_t H, cublasFillMode_t Mode,
                       cublasOperation_t Op, cublasOperation_t Transposed, I N,
                       I K, const F *Alpha, const C *A, I Lda, const F *Beta,
                       C *Out, I Ldc) {
  const bool Plain = Op == CUBLAS_OP_N;
  const bool Right = valid(Mode) && allows<Native<C>>(Op, Transposed) &&
                     N >= 0 && K >= 0 && holds(Lda, Plain ? N : K) &&
                     holds(Ldc, N) && Alpha && Beta;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, K, Lda, Ldc)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::matrix(A, Plain ? N : K, Plain ? K : N, Lda));
  Call.updates(BlasCall::matrix(Out, N, N, Ldc));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     Out = native(Out)] {
    (cblas<Native<C>>().*Function)(
        ColumnMajor, forCblas(Mode), forCblas(Op), int(N), int(K),
        forCblas(By.get()), A, int(Lda), forCblas(Keep.get()), Out, int(Ldc));
  });
}
template <typename C, typename I>
cublasStatus_t syrk(cublasHandle_t H, cublasFillMode_t Mode,
                    cublasOperation_t Op, I N, I K, const C *Alpha, const C *A,
                    I Lda, const C *Beta, C *Out, I Ldc) {
  return anySyrk<C, &Cblas<Native<C>>::Syrk, "syrk">(
      H, Mode, Op, CUBLAS_OP_T, N, K, Alpha, A, Lda, Beta, Out, Ldc);
}
template <typename C, typename I>
cublasStatus_t herk(cublasHandle_t H, cublasFillMode_t Mode,
                    cublasOperation_t Op, I N, I K,
                    const Real<Native<C>> *Alpha, const C *A, I Lda,
                    const Real<Native<C>> *Beta, C *Out, I Ldc) {
  return anySyrk<C, &Cblas<Native<C>>::Herk, "herk">(
      H, Mode, Op, CUBLAS_OP_C, N, K, Alpha, A, Lda, Beta, Out, Ldc);
}

template <typename C, auto Function, Literal Stem, typename F, typename I>
cublasStatus_t anySyr2k(cublasHandle_t H, cublasFillMode_t Mode,
                        cublasOperation_t Op, cublasOperation_t Transposed, I N,
                        I K, const C *Alpha, const C *A, I Lda, const C *B,
                        I Ldb, const F *Beta, C *Out, I Ldc) {
  const I Rows = Op == CUBLAS_OP_N ? N : K, Columns = N + K - Rows;
  const bool Right = valid(Mode) && allows<Native<C>>(Op, Transposed) &&
                     N >= 0 && K >= 0 && holds(Lda, Rows) && holds(Ldb, Rows) &&
                     holds(Ldc, N) && Alpha && Beta;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, K, Lda, Ldb, Ldc)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::matrix(A, Rows, Columns, Lda));
  Call.reads(BlasCall::matrix(B, Rows, Columns, Ldb));
  Call.updates(BlasCall::matrix(Out, N, N, Ldc));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     B = native(B), Out = native(Out)] {
    (cblas<Native<C>>().*Function)(ColumnMajor, forCblas(Mode), forCblas(Op),
                                   int(N), int(K), forCblas(By.get()), A,
                                   int(Lda), B, int(Ldb), forCblas(Keep.get()),
                                   Out, int(Ldc));
  });
}
template <typename C, typename I>
cublasStatus_t syr2k(cublasHandle_t H, cublasFillMode_t Mode,
                     cublasOperation_t Op, I N, I K, const C *Alpha, const C *A,
                     I Lda, const C *B, I Ldb, const C *Beta, C *Out, I Ldc) {
  return anySyr2k<C, &Cblas<Native<C>>::Syr2k, "syr2k">(
      H, Mode, Op, CUBLAS_OP_T, N, K, Alpha, A, Lda, B, Ldb, Beta, Out, Ldc);
}
template <typename C, typename I>
cublasStatus_t her2k(cublasHandle_t H, cublasFillMode_t Mode,
                     cublasOperation_t Op, I N, I K, const C *Alpha, const C *A,
                     I Lda, const C *B, I Ldb, const Real<Native<C>> *Beta,
                     C *Out, I Ldc) {
  return anySyr2k<C, &Cblas<Native<C>>::Her2k, "her2k">(
      H, Mode, Op, CUBLAS_OP_C, N, K, Alpha, A, Lda, B, Ldb, Beta, Out, Ldc);
}

/// One triangle of alpha A B^T + beta C, or of A B^H, which the program says is
/// symmetric, or Hermitian.
template <bool Hermitian, typename T>
void addTriangle(cublasFillMode_t Mode, cublasOperation_t Op, int N, int K,
                 T Alpha, const T *A, int Lda, const T *B, int Ldb, T Beta,
                 T *Out, int64_t Ldc) {
  const cublasOperation_t Other = Hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  const bool Plain = Op == CUBLAS_OP_N;
  std::vector<T> All(size_t(N) * size_t(N));
  const T Nothing = T();
  cblas<T>().Gemm(ColumnMajor, forCblas(Plain ? CUBLAS_OP_N : Other),
                  forCblas(Plain ? Other : CUBLAS_OP_N), N, N, K,
                  forCblas(Alpha), A, Lda, B, Ldb, forCblas(Nothing),
                  All.data(), N);
  for (int64_t Column = 0; Column < N; ++Column)
    for (int64_t Row = 0; Row < N; ++Row) {
      if (Mode == CUBLAS_FILL_MODE_UPPER ? Row > Column : Row < Column)
        continue;
      T &To = Out[Column * Ldc + Row];
      To = All[size_t(Column * N + Row)] + (Beta == T() ? T() : Beta * To);
      if constexpr (Hermitian && IsComplex<T>)
        if (Row == Column)
          To.imag(0);
    }
}

template <typename C, bool Hermitian, Literal Stem, typename F, typename I>
cublasStatus_t anySyrkx(cublasHandle_t H, cublasFillMode_t Mode,
                        cublasOperation_t Op, I N, I K, const C *Alpha,
                        const C *A, I Lda, const C *B, I Ldb, const F *Beta,
                        C *Out, I Ldc) {
  using T = Native<C>;
  const I Rows = Op == CUBLAS_OP_N ? N : K, Columns = N + K - Rows;
  const bool Right = valid(Mode) &&
                     allows<T>(Op, Hermitian ? CUBLAS_OP_C : CUBLAS_OP_T) &&
                     N >= 0 && K >= 0 && holds(Lda, Rows) && holds(Ldb, Rows) &&
                     holds(Ldc, N) && Alpha && Beta;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(N, K, Lda, Ldb, Ldc)))
    return Bad;
  if (N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, Stem>());
  Call.reads(BlasCall::matrix(A, Rows, Columns, Lda));
  Call.reads(BlasCall::matrix(B, Rows, Columns, Ldb));
  Call.updates(BlasCall::matrix(Out, N, N, Ldc));
  return Call.issue([=, By = Call.scalar(native(Alpha)),
                     Keep = Call.scalar(native(Beta)), A = native(A),
                     B = native(B), Out = native(Out)] {
    addTriangle<Hermitian, T>(Mode, Op, int(N), int(K), By.get(), A, int(Lda),
                              B, int(Ldb), T(Keep.get()), Out, Ldc);
  });
}
template <typename C, typename I>
cublasStatus_t syrkx(cublasHandle_t H, cublasFillMode_t Mode,
                     cublasOperation_t Op, I N, I K, const C *Alpha, const C *A,
                     I Lda, const C *B, I Ldb, const C *Beta, C *Out, I Ldc) {
  return anySyrkx<C, false, "syrkx">(H, Mode, Op, N, K, Alpha, A, Lda, B, Ldb,
                                     Beta, Out, Ldc);
}
template <typename C, typename I>
cublasStatus_t herkx(cublasHandle_t H, cublasFillMode_t Mode,
                     cublasOperation_t Op, I N, I K, const C *Alpha, const C *A,
                     I Lda, const C *B, I Ldb, const Real<Native<C>> *Beta,
                     C *Out, I Ldc) {
  return anySyrkx<C, true, "herkx">(H, Mode, Op, N, K, Alpha, A, Lda, B, Ldb,
                                    Beta, Out, Ldc);
}

/// A triangle, and where it stands in a product.
struct Triangle {
  cublasSideMode_t Side;
  cublasFillMode_t Mode;
  cublasOperation_t Op;
  cublasDiagType_t Diagonal;
  bool right() const {
    return valid(Side) && valid(Mode) && valid(Op) && valid(Diagonal);
  }
};

template <auto Function, typename T>
void byTriangle(const Triangle &By, int M, int N, T Alpha, const T *A, int Lda,
                T *B, int Ldb) {
  (cblas<T>().*Function)(ColumnMajor, forCblas(By.Side), forCblas(By.Mode),
                         forCblas(By.Op), forCblas(By.Diagonal), M, N,
                         forCblas(Alpha), A, Lda, B, Ldb);
}

template <typename C, typename I>
cublasStatus_t trsm(cublasHandle_t H, cublasSideMode_t Side,
                    cublasFillMode_t Mode, cublasOperation_t Op,
                    cublasDiagType_t Diagonal, I M, I N, const C *Alpha,
                    const C *A, I Lda, C *B, I Ldb) {
  using T = Native<C>;
  const Triangle By = {Side, Mode, Op, Diagonal};
  const I Order = Side == CUBLAS_SIDE_LEFT ? M : N;
  const bool Right = By.right() && M >= 0 && N >= 0 && holds(Lda, Order) &&
                     holds(Ldb, M) && Alpha;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(M, N, Lda, Ldb)))
    return Bad;
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, "trsm">());
  Call.reads(BlasCall::matrix(A, Order, Order, Lda));
  Call.updates(BlasCall::matrix(B, M, N, Ldb));
  return Call.issue(
      [=, Factor = Call.scalar(native(Alpha)), A = native(A), B = native(B)] {
        byTriangle<&Cblas<T>::Trsm>(By, int(M), int(N), Factor.get(), A,
                                    int(Lda), B, int(Ldb));
      });
}

/// Unlike BLAS's it writes to a matrix of its own, which may be B.
template <typename C, typename I>
cublasStatus_t trmm(cublasHandle_t H, cublasSideMode_t Side,
                    cublasFillMode_t Mode, cublasOperation_t Op,
                    cublasDiagType_t Diagonal, I M, I N, const C *Alpha,
                    const C *A, I Lda, const C *B, I Ldb, C *Out, I Ldc) {
  using T = Native<C>;
  const Triangle By = {Side, Mode, Op, Diagonal};
  const I Order = Side == CUBLAS_SIDE_LEFT ? M : N;
  const bool Right = By.right() && M >= 0 && N >= 0 && holds(Lda, Order) &&
                     holds(Ldb, M) && holds(Ldc, M) && Alpha;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(M, N, Lda, Ldb, Ldc)))
    return Bad;
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  BlasCall Call(H, callName<C, "trmm">());
  Call.reads(BlasCall::matrix(A, Order, Order, Lda));
  Call.reads(BlasCall::matrix(B, M, N, Ldb));
  Call.writes(BlasCall::matrix(Out, M, N, Ldc));
  return Call.issue([=, Factor = Call.scalar(native(Alpha)), A = native(A),
                     B = native(B), Out = native(Out)] {
    for (I Column = 0; Out != B && Column < N; ++Column)
      std::copy_n(B + Column * Ldb, M, Out + Column * Ldc);
    byTriangle<&Cblas<T>::Trmm>(By, int(M), int(N), Factor.get(), A, int(Lda),
                                Out, int(Ldc));
  });
}

template <typename C, typename I>
cublasStatus_t trsmBatched(cublasHandle_t H, cublasSideMode_t Side,
                           cublasFillMode_t Mode, cublasOperation_t Op,
                           cublasDiagType_t Diagonal, I M, I N, const C *Alpha,
                           const C *const A[], I Lda, C *const B[], I Ldb,
                           I Batch) {
  using T = Native<C>;
  const Triangle By = {Side, Mode, Op, Diagonal};
  const I Order = Side == CUBLAS_SIDE_LEFT ? M : N;
  const bool Right = By.right() && M >= 0 && N >= 0 && holds(Lda, Order) &&
                     holds(Ldb, M) && Alpha && Batch >= 0;
  if (cublasStatus_t Bad = refusal(H, Right, fitInt(M, N, Lda, Ldb, Batch)))
    return Bad;
  if (M == 0 || N == 0 || Batch == 0)
    return CUBLAS_STATUS_SUCCESS;
  const char *Name = callName<C, "trsmBatched">();
  BlasCall Call(H, Name);
  Call.pointers(A, Batch);
  Call.pointers(B, Batch);
  return Call.issueChecked(
      [=, Factor = Call.scalar(native(Alpha))](const MayTouch &May) -> Status {
        for (I At = 0; At < Batch; ++At) {
          Reachable Seen(May, Name);
          Seen.needs(BlasCall::matrix(A[At], Order, Order, Lda));
          Seen.needs(BlasCall::matrix(B[At], M, N, Ldb));
          if (!Seen.status().ok())
            return Seen.status();
          byTriangle<&Cblas<T>::Trsm>(By, int(M), int(N), Factor.get(),
                                      native(A[At]), int(Lda), native(B[At]),
                                      int(Ldb));
        }
        return Status();
      });
}

} // namespace

Rows matrixRows() {
  return {BM_ALL(symm, _v2, symm),
          BM_COMPLEX(hemm, _v2, hemm),
          BM_ALL(syrk, _v2, syrk),
          BM_COMPLEX(herk, _v2, herk),
          BM_ALL(syr2k, _v2, syr2k),
          BM_COMPLEX(her2k, _v2, her2k),
          BM_ALL(syrkx, , syrkx),
          BM_COMPLEX(herkx, , herkx),
          BM_ALL(trsm, _v2, trsm),
          BM_ALL(trmm, _v2, trmm),
          BM_ALL(trsmBatched, , trsmBatched)};
}

} // namespace blockmaestro::blas
