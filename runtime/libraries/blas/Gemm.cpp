// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls of cuBLAS that multiply general matrices.

#include "BlasFunctions.h"
#include "MixedGemm.h"

#include <cuda_fp16.h>

namespace blockmaestro::blas {

template <> inline constexpr const char *Letters<__half> = "H";

namespace {

template <typename C> constexpr GemmTypes Uniform = {};
template <>
constexpr GemmTypes Uniform<double> = {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F,
                                       CUBLAS_COMPUTE_64F};
template <>
constexpr GemmTypes Uniform<cuComplex> = {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F,
                                          CUBLAS_COMPUTE_32F};
template <>
constexpr GemmTypes Uniform<cuDoubleComplex> = {CUDA_C_64F, CUDA_C_64F,
                                                CUDA_C_64F, CUBLAS_COMPUTE_64F};
template <>
constexpr GemmTypes Uniform<__half> = {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F,
                                       CUBLAS_COMPUTE_16F};

/// Arrays of addresses of a number type as such of any.
template <typename C> const void *const *addresses(const C *const P[]) {
  return reinterpret_cast<const void *const *>(P);
}
template <typename C> void *const *addresses(C *const P[]) {
  return reinterpret_cast<void *const *>(P);
}

template <typename C, Literal Stem, typename I>
cublasStatus_t anyGemm(cublasHandle_t H, cublasOperation_t OpA,
                       cublasOperation_t OpB, I M, I N, I K, const C *Alpha,
                       const C *A, I Lda, const C *B, I Ldb, const C *Beta,
                       C *Out, I Ldc) {
  return multiply(H,
                  {callName<C, Stem>(),
                   {OpA, OpB, M, N, K, Lda, Ldb, Ldc},
                   Uniform<C>,
                   Alpha,
                   Beta},
                  GemmPlaces{A, B, Out});
}

template <typename C, typename I>
cublasStatus_t gemm(cublasHandle_t H, cublasOperation_t OpA,
                    cublasOperation_t OpB, I M, I N, I K, const C *Alpha,
                    const C *A, I Lda, const C *B, I Ldb, const C *Beta, C *Out,
                    I Ldc) {
  return anyGemm<C, "gemm">(H, OpA, OpB, M, N, K, Alpha, A, Lda, B, Ldb, Beta,
                            Out, Ldc);
}
template <typename C, typename I>
cublasStatus_t gemm3m(cublasHandle_t H, cublasOperation_t OpA,
                      cublasOperation_t OpB, I M, I N, I K, const C *Alpha,
                      const C *A, I Lda, const C *B, I Ldb, const C *Beta,
                      C *Out, I Ldc) {
  return anyGemm<C, "gemm3m">(H, OpA, OpB, M, N, K, Alpha, A, Lda, B, Ldb, Beta,
                              Out, Ldc);
}

template <typename C, Literal Stem, typename I>
cublasStatus_t anyStrided(cublasHandle_t H, cublasOperation_t OpA,
                          cublasOperation_t OpB, I M, I N, I K, const C *Alpha,
                          const C *A, I Lda, long long StrideA, const C *B,
                          I Ldb, long long StrideB, const C *Beta, C *Out,
                          I Ldc, long long StrideC, I Batch) {
  return multiply(H,
                  {callName<C, Stem>(),
                   {OpA, OpB, M, N, K, Lda, Ldb, Ldc},
                   Uniform<C>,
                   Alpha,
                   Beta,
                   Batch},
                  GemmPlaces{A, B, Out, StrideA, StrideB, StrideC});
}
template <typename C, typename I>
cublasStatus_t strided(cublasHandle_t H, cublasOperation_t OpA,
                       cublasOperation_t OpB, I M, I N, I K, const C *Alpha,
                       const C *A, I Lda, long long StrideA, const C *B, I Ldb,
                       long long StrideB, const C *Beta, C *Out, I Ldc,
                       long long StrideC, I Batch) {
  return anyStrided<C, "gemmStridedBatched">(H, OpA, OpB, M, N, K, Alpha, A,
                                             Lda, StrideA, B, Ldb, StrideB,
                                             Beta, Out, Ldc, StrideC, Batch);
}

template <typename C, typename I>
cublasStatus_t batched(cublasHandle_t H, cublasOperation_t OpA,
                       cublasOperation_t OpB, I M, I N, I K, const C *Alpha,
                       const C *const A[], I Lda, const C *const B[], I Ldb,
                       const C *Beta, C *const Out[], I Ldc, I Batch) {
  return multiply(H,
                  {callName<C, "gemmBatched">(),
                   {OpA, OpB, M, N, K, Lda, Ldb, Ldc},
                   Uniform<C>,
                   Alpha,
                   Beta,
                   Batch},
                  GemmPointers{addresses(A), addresses(B), addresses(Out)});
}

template <typename Unused, typename I>
cublasStatus_t mixed(cublasHandle_t H, cublasOperation_t OpA,
                     cublasOperation_t OpB, I M, I N, I K, const void *Alpha,
                     const void *A, cudaDataType TypeA, I Lda, const void *B,
                     cudaDataType TypeB, I Ldb, const void *Beta, void *Out,
                     cudaDataType TypeC, I Ldc, cublasComputeType_t Compute,
                     cublasGemmAlgo_t) {
  return multiply(H,
                  {"cublasGemmEx",
                   {OpA, OpB, M, N, K, Lda, Ldb, Ldc},
                   {TypeA, TypeB, TypeC, Compute},
                   Alpha,
                   Beta},
                  GemmPlaces{A, B, Out});
}

template <typename Unused, typename I>
cublasStatus_t
mixedStrided(cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB,
             I M, I N, I K, const void *Alpha, const void *A,
             cudaDataType TypeA, I Lda, long long StrideA, const void *B,
             cudaDataType TypeB, I Ldb, long long StrideB, const void *Beta,
             void *Out, cudaDataType TypeC, I Ldc, long long StrideC, I Batch,
             cublasComputeType_t Compute, cublasGemmAlgo_t) {
  return multiply(H,
                  {"cublasGemmStridedBatchedEx",
                   {OpA, OpB, M, N, K, Lda, Ldb, Ldc},
                   {TypeA, TypeB, TypeC, Compute},
                   Alpha,
                   Beta,
                   Batch},
                  GemmPlaces{A, B, Out, StrideA, StrideB, StrideC});
}

template <typename Unused, typename I>
cublasStatus_t
mixedBatched(cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB,
             I M, I N, I K, const void *Alpha, const void *const A[],
             cudaDataType TypeA, I Lda, const void *const B[],
             cudaDataType TypeB, I Ldb, const void *Beta, void *const Out[],
             cudaDataType TypeC, I Ldc, I Batch, cublasComputeType_t Compute,
             cublasGemmAlgo_t) {
  return multiply(H,
                  {"cublasGemmBatchedEx",
                   {OpA, OpB, M, N, K, Lda, Ldb, Ldc},
                   {TypeA, TypeB, TypeC, Compute},
                   Alpha,
                   Beta,
                   Batch},
                  GemmPointers{A, B, Out});
}

/// Factors are of type F, which is also computed with.
template <typename F, Literal Stem, typename I>
cublasStatus_t stored(cublasHandle_t H, cublasOperation_t OpA,
                      cublasOperation_t OpB, I M, I N, I K, const F *Alpha,
                      const void *A, cudaDataType TypeA, I Lda, const void *B,
                      cudaDataType TypeB, I Ldb, const F *Beta, void *Out,
                      cudaDataType TypeC, I Ldc) {
  return multiply(H,
                  {callName<F, Stem>(),
                   {OpA, OpB, M, N, K, Lda, Ldb, Ldc},
                   {TypeA, TypeB, TypeC, CUBLAS_COMPUTE_32F},
                   Alpha,
                   Beta},
                  GemmPlaces{A, B, Out});
}
template <typename F, typename I>
cublasStatus_t gemmEx(cublasHandle_t H, cublasOperation_t OpA,
                      cublasOperation_t OpB, I M, I N, I K, const F *Alpha,
                      const void *A, cudaDataType TypeA, I Lda, const void *B,
                      cudaDataType TypeB, I Ldb, const F *Beta, void *Out,
                      cudaDataType TypeC, I Ldc) {
  return stored<F, "gemmEx">(H, OpA, OpB, M, N, K, Alpha, A, TypeA, Lda, B,
                             TypeB, Ldb, Beta, Out, TypeC, Ldc);
}

} // namespace

Rows gemmRows() {
  return {BM_ALL(gemm, _v2, gemm),
          BM_BOTH(cublasHgemm, , gemm, __half),
          BM_COMPLEX(gemm3m, , gemm3m),
          BM_ALL(gemmStridedBatched, , strided),
          BM_BOTH(cublasHgemmStridedBatched, , strided, __half),
          BM_BOTH(cublasCgemm3mStridedBatched, , strided, cuComplex),
          BM_ALL(gemmBatched, , batched),
          BM_BOTH(cublasHgemmBatched, , batched, __half),
          BM_BOTH(cublasCgemm3mBatched, , batched, cuComplex)};
}

Rows mixedGemmRows() {
  return {BM_BOTH(cublasGemmEx, , mixed, void),
          BM_BOTH(cublasGemmStridedBatchedEx, , mixedStrided, void),
          BM_BOTH(cublasGemmBatchedEx, , mixedBatched, void),
          BM_BOTH(cublasSgemmEx, , gemmEx, float),
          BM_BOTH(cublasCgemmEx, , gemmEx, cuComplex)};
}

} // namespace blockmaestro::blas
