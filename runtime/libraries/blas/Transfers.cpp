// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cuBLAS's copies of vectors and matrices between host and device: copies of
// CUDA's runtime.

#include "BlasCall.h"
#include "BlasFunctions.h"

namespace blockmaestro::blas {
namespace {

/// What a copy that failed is to cuBLAS.
cublasStatus_t copied(cudaError_t Error) {
  return Error == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                              : CUBLAS_STATUS_MAPPING_ERROR;
}

template <cudaMemcpyKind Kind, typename I>
cublasStatus_t matrix(I Rows, I Columns, I Bytes, const void *From, I FromLd,
                      void *To, I ToLd) {
  if (Rows < 0 || Columns < 0 || Bytes <= 0 || FromLd <= 0 || ToLd <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (Rows == 0 || Columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  return copied(cudaMemcpy2D(To, size_t(ToLd * Bytes), From,
                             size_t(FromLd * Bytes), size_t(Rows * Bytes),
                             size_t(Columns), Kind));
}

template <cudaMemcpyKind Kind, typename I>
cublasStatus_t matrixAsync(I Rows, I Columns, I Bytes, const void *From,
                           I FromLd, void *To, I ToLd, cudaStream_t Stream) {
  if (Rows < 0 || Columns < 0 || Bytes <= 0 || FromLd <= 0 || ToLd <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (Rows == 0 || Columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  return copied(cudaMemcpy2DAsync(To, size_t(ToLd * Bytes), From,
                                  size_t(FromLd * Bytes), size_t(Rows * Bytes),
                                  size_t(Columns), Kind, Stream));
}

/// A vector is a matrix of rows of one element.
template <cudaMemcpyKind Kind, typename I>
cublasStatus_t vector(I Count, I Bytes, const void *From, I FromStep, void *To,
                      I ToStep) {
  const bool Dense = FromStep == 1 && ToStep == 1;
  return Dense ? matrix<Kind, I>(Count, 1, Bytes, From, Count ? Count : 1, To,
                                 Count ? Count : 1)
               : matrix<Kind, I>(1, Count, Bytes, From, FromStep, To, ToStep);
}

template <cudaMemcpyKind Kind, typename I>
cublasStatus_t vectorAsync(I Count, I Bytes, const void *From, I FromStep,
                           void *To, I ToStep, cudaStream_t Stream) {
  const bool Dense = FromStep == 1 && ToStep == 1;
  return Dense ? matrixAsync<Kind, I>(Count, 1, Bytes, From, Count ? Count : 1,
                                      To, Count ? Count : 1, Stream)
               : matrixAsync<Kind, I>(1, Count, Bytes, From, FromStep, To,
                                      ToStep, Stream);
}

#define BM_FORMS(Name, Function, Kind)                                         \
  BM_STAND_IN(Name, Function<Kind, int>),                                      \
      BM_STAND_IN(Name##_64, Function<Kind, int64_t>)

} // namespace

Rows transferRows() {
  return {BM_FORMS(cublasSetMatrix, matrix, cudaMemcpyHostToDevice),
          BM_FORMS(cublasGetMatrix, matrix, cudaMemcpyDeviceToHost),
          BM_FORMS(cublasSetVector, vector, cudaMemcpyHostToDevice),
          BM_FORMS(cublasGetVector, vector, cudaMemcpyDeviceToHost),
          BM_FORMS(cublasSetMatrixAsync, matrixAsync, cudaMemcpyHostToDevice),
          BM_FORMS(cublasGetMatrixAsync, matrixAsync, cudaMemcpyDeviceToHost),
          BM_FORMS(cublasSetVectorAsync, vectorAsync, cudaMemcpyHostToDevice),
          BM_FORMS(cublasGetVectorAsync, vectorAsync, cudaMemcpyDeviceToHost)};
}

} // namespace blockmaestro::blas
