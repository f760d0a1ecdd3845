// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Batches of LU factorisations, solutions and inverses.

#include "BlasCall.h"
#include "BlasFunctions.h"

#include <algorithm>
#include <vector>

namespace blockmaestro::blas {
namespace {

/// LU without pivots, in place; the number of the first pivot that is 0, or 0.
template <typename T> int factorInPlace(int N, T *A, int64_t Lda) {
  int Info = 0;
  for (int64_t K = 0; K < N; ++K) {
    const T Pivot = A[K * Lda + K];
    if (Pivot == T()) {
      Info = Info ? Info : int(K + 1);
      continue;
    }
    for (int64_t Row = K + 1; Row < N; ++Row)
      A[K * Lda + Row] /= Pivot;
    for (int64_t Column = K + 1; Column < N; ++Column)
      for (int64_t Row = K + 1; Row < N; ++Row)
        A[Column * Lda + Row] -= A[K * Lda + Row] * A[Column * Lda + K];
  }
  return Info;
}

template <typename T> int factor(int N, T *A, int Lda, int *Pivots) {
  if (!Pivots)
    return factorInPlace(N, A, Lda);
  int Info = 0;
  cblas<T>().Getrf(&N, &N, A, &Lda, Pivots, &Info);
  return Info;
}

/// Where nothing has been exchanged.
std::vector<int> pivotsOf(const int *Given, int N) {
  std::vector<int> Out(static_cast<size_t>(N));
  for (int I = 0; I < N; ++I)
    Out[size_t(I)] = Given ? Given[I] : I + 1;
  return Out;
}

template <typename T>
void copySquare(int64_t N, const T *From, int64_t FromLeading, T *To,
                int64_t ToLeading) {
  for (int64_t Column = 0; Column < N; ++Column)
    std::copy_n(From + Column * FromLeading, N, To + Column * ToLeading);
}

/// The inverse, by factors that are in A already.
template <typename T> int invert(int N, T *A, int Lda, const int *Pivots) {
  int Info = 0, Size = std::max(1, N * 64);
  std::vector<T> Room(static_cast<size_t>(Size));
  cblas<T>().Getri(&N, A, &Lda, Pivots, Room.data(), &Size, &Info);
  return Info;
}

/// Runs Each for every matrix of a batch while their memory may be touched.
template <typename Boxes, typename Body>
Status forAll(int Batch, const MayTouch &May, const char *Name, Boxes Needed,
              Body Each) {
  for (int I = 0; I < Batch; ++I) {
    Reachable Seen(May, Name);
    Needed(Seen, I);
    if (!Seen.status().ok())
      return Seen.status();
    Each(I);
  }
  return Status();
}

template <typename C>
cublasStatus_t getrfBatched(cublasHandle_t H, int N, C *const A[], int Lda,
                            int *Pivots, int *Info, int Batch) {
  const bool Right = N >= 0 && Lda >= std::max(1, N) && Info && Batch >= 0;
  if (cublasStatus_t Bad = refusal(H, Right))
    return Bad;
  const char *Name = callName<C, "getrfBatched">();
  BlasCall Call(H, Name);
  Call.pointers(A, Batch);
  if (Pivots)
    Call.writes(BlasCall::vector(Pivots, int64_t(N) * Batch, 1));
  Call.writes(BlasCall::vector(Info, Batch, 1));
  return Call.issueChecked([=](const MayTouch &May) {
    return forAll(
        Batch, May, Name,
        [=](Reachable &Seen, int I) {
          Seen.needs(BlasCall::matrix(A[I], N, N, Lda));
        },
        [=](int I) {
          Info[I] = factor(N, native(A[I]), Lda,
                           Pivots ? Pivots + int64_t(I) * N : nullptr);
        });
  });
}

/// Info is the host's.
template <typename C>
cublasStatus_t getrsBatched(cublasHandle_t H, cublasOperation_t Op, int N,
                            int Columns, const C *const A[], int Lda,
                            const int *Pivots, C *const B[], int Ldb, int *Info,
                            int Batch) {
  if (!H)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Info)
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool Checks[] = {valid(Op),
                         N >= 0,
                         Columns >= 0,
                         A != nullptr,
                         Lda >= std::max(1, N),
                         true,
                         B != nullptr,
                         Ldb >= std::max(1, N),
                         true,
                         Batch >= 0};
  *Info = 0;
  for (int I = 0; I < 10; ++I)
    if (!Checks[I]) {
      *Info = -(I + 1);
      return CUBLAS_STATUS_INVALID_VALUE;
    }
  const char *Name = callName<C, "getrsBatched">();
  BlasCall Call(H, Name);
  Call.pointers(A, Batch);
  Call.pointers(B, Batch);
  if (Pivots)
    Call.reads(BlasCall::vector(Pivots, int64_t(N) * Batch, 1));
  return Call.issueChecked([=](const MayTouch &May) {
    return forAll(
        Batch, May, Name,
        [=](Reachable &Seen, int I) {
          Seen.needs(BlasCall::matrix(A[I], N, N, Lda));
          Seen.needs(BlasCall::matrix(B[I], N, Columns, Ldb));
        },
        [=](int I) {
          const char Letter = "NTC"[Op];
          const std::vector<int> Order =
              pivotsOf(Pivots ? Pivots + int64_t(I) * N : nullptr, N);
          int Ignored = 0;
          cblas<Native<C>>().Getrs(&Letter, &N, &Columns, native(A[I]), &Lda,
                                   Order.data(), native(B[I]), &Ldb, &Ignored);
        });
  });
}

/// Gives Call the inverses of all A, in Out; Invert does matrix I, which has
/// been copied there, and says how that ended.
template <typename C, typename Body>
cublasStatus_t issueInverses(BlasCall &Call, const char *Name, int N,
                             const C *const A[], int Lda, C *const Out[],
                             int Ldc, int *Info, int Batch, Body Invert) {
  Call.pointers(A, Batch);
  Call.pointers(Out, Batch);
  Call.writes(BlasCall::vector(Info, Batch, 1));
  return Call.issueChecked([=](const MayTouch &May) {
    return forAll(
        Batch, May, Name,
        [=](Reachable &Seen, int I) {
          Seen.needs(BlasCall::matrix(A[I], N, N, Lda));
          Seen.needs(BlasCall::matrix(Out[I], N, N, Ldc));
        },
        [=](int I) {
          copySquare(N, A[I], Lda, Out[I], Ldc);
          Info[I] = Invert(I, native(Out[I]));
        });
  });
}

template <typename C>
cublasStatus_t getriBatched(cublasHandle_t H, int N, const C *const A[],
                            int Lda, const int *Pivots, C *const Out[], int Ldc,
                            int *Info, int Batch) {
  const bool Right = N >= 0 && Lda >= std::max(1, N) && Ldc >= std::max(1, N) &&
                     Info && Batch >= 0;
  if (cublasStatus_t Bad = refusal(H, Right))
    return Bad;
  const char *Name = callName<C, "getriBatched">();
  BlasCall Call(H, Name);
  if (Pivots)
    Call.reads(BlasCall::vector(Pivots, int64_t(N) * Batch, 1));
  return issueInverses(Call, Name, N, A, Lda, Out, Ldc, Info, Batch,
                       [=](int I, Native<C> *Factors) {
                         const std::vector<int> Order = pivotsOf(
                             Pivots ? Pivots + int64_t(I) * N : nullptr, N);
                         return invert(N, Factors, Ldc, Order.data());
                       });
}

/// cuBLAS does this for matrices of up to 32 rows.
template <typename C>
cublasStatus_t matinvBatched(cublasHandle_t H, int N, const C *const A[],
                             int Lda, C *const Out[], int Ldc, int *Info,
                             int Batch) {
  const bool Right = N >= 0 && N <= 32 && Lda >= std::max(1, N) &&
                     Ldc >= std::max(1, N) && Info && Batch >= 0;
  if (cublasStatus_t Bad = refusal(H, Right))
    return Bad;
  const char *Name = callName<C, "matinvBatched">();
  BlasCall Call(H, Name);
  return issueInverses(
      Call, Name, N, A, Lda, Out, Ldc, Info, Batch,
      [=](int, Native<C> *Matrix) {
        std::vector<int> Order(static_cast<size_t>(std::max(1, N)));
        const int Failed = factor(N, Matrix, Ldc, Order.data());
        return Failed ? Failed : invert(N, Matrix, Ldc, Order.data());
      });
}

#define BM_ONE_FORM(Name)                                                      \
  BM_STAND_IN(cublasS##Name, Name<float>),                                     \
      BM_STAND_IN(cublasD##Name, Name<double>),                                \
      BM_STAND_IN(cublasC##Name, Name<cuComplex>),                             \
      BM_STAND_IN(cublasZ##Name, Name<cuDoubleComplex>)

} // namespace

Rows factorRows() {
  return {BM_ONE_FORM(getrfBatched), BM_ONE_FORM(getrsBatched),
          BM_ONE_FORM(getriBatched), BM_ONE_FORM(matinvBatched)};
}

} // namespace blockmaestro::blas
