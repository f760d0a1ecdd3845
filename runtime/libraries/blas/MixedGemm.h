// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the product of two matrices whose numbers may be of other types
// than those that it is computed with: half, bfloat16, integers of 8 bits.
// On the data's way: all calls of cuBLAS and cuBLASLt that multiply matrices ->
// here -> CBLAS.
// Invariants: numbers are widened without loss, products are summed in the wide
// type, and rounded once, to nearest even. Integers are summed as doubles,
// exactly while a sum is below 2^53, and kept modulo 2^32.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_BLAS_MIXEDGEMM_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_BLAS_MIXEDGEMM_H

#include "BlasCall.h"

#include <library_types.h>

#include <cstdint>

namespace blockmaestro::blas {

struct GemmShape {
  cublasOperation_t OpA = CUBLAS_OP_N;
  cublasOperation_t OpB = CUBLAS_OP_N;
  int64_t M = 0, N = 0, K = 0;
  int64_t Lda = 1, Ldb = 1, Ldc = 1;

  int64_t rowsOfA() const { return OpA == CUBLAS_OP_N ? M : K; }
  int64_t columnsOfA() const { return OpA == CUBLAS_OP_N ? K : M; }
  int64_t rowsOfB() const { return OpB == CUBLAS_OP_N ? K : N; }
  int64_t columnsOfB() const { return OpB == CUBLAS_OP_N ? N : K; }
  bool right() const;
  bool fits() const { return fitInt(M, N, K, Lda, Ldb, Ldc); }
  bool empty() const { return M == 0 || N == 0; }
};

/// What a product is computed with, and how its two factors are given.
enum class Arithmetic : uint8_t {
  Half,    ///< float; factors are half.
  Integer, ///< double; factors are int.
  Float,
  Double,
  ComplexFloat,
  ComplexDouble,
  None ///< cuBLAS has no such product.
};

struct GemmTypes {
  cudaDataType_t A = CUDA_R_32F, B = CUDA_R_32F, C = CUDA_R_32F;
  cublasComputeType_t Compute = CUBLAS_COMPUTE_32F;
  Arithmetic arithmetic() const;
};

size_t bytesOf(cudaDataType_t Type);

/// The matrices of one call. Strides are in elements.
struct GemmPlaces {
  const void *A = nullptr;
  const void *B = nullptr;
  void *C = nullptr;
  long long StrideA = 0, StrideB = 0, StrideC = 0;
};
struct GemmPointers {
  const void *const *A = nullptr;
  const void *const *B = nullptr;
  void *const *C = nullptr;
};

/// Numbers Alpha and Beta are of the type that the arithmetic has. Nothing of
/// what is given has been checked.
struct GemmRequest {
  const char *Call = "";
  GemmShape Shape;
  GemmTypes Types;
  const void *Alpha = nullptr;
  const void *Beta = nullptr;
  int64_t Batch = 1;
};

cublasStatus_t multiply(cublasHandle_t Handle, const GemmRequest &What,
                        const GemmPlaces &Where);
cublasStatus_t multiply(cublasHandle_t Handle, const GemmRequest &What,
                        const GemmPointers &Where);

} // namespace blockmaestro::blas

#endif
