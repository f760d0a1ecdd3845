// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlasCall.h"
#include "MixedGemm.h"
#include "StandIn.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::blas;

namespace {

/// Ours of a name, as a function of the header's type.
template <typename Function> Function *ours(const char *Name, Function *) {
  for (const LibraryFunction &Each : cublasFunctions())
    if (Each.Name == Name)
      return reinterpret_cast<Function *>(Each.Function);
  ADD_FAILURE() << Name << " is not there";
  return nullptr;
}
#define OURS(Name) ours(#Name, &::Name)

const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;

TEST(Blas, WhatACallSaysToItsArguments) {
  cublasContext Handle;
  float One = 1, *P = nullptr;
  auto *Gemm = OURS(cublasSgemm_v2);
  EXPECT_EQ(Gemm(nullptr, N, N, 1, 1, 1, &One, P, 1, P, 1, &One, P, 1),
            CUBLAS_STATUS_NOT_INITIALIZED);
  // Too few rows between columns: of A, of transposed A, of B, of C.
  EXPECT_EQ(Gemm(&Handle, N, N, 4, 2, 2, &One, P, 3, P, 2, &One, P, 4),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(Gemm(&Handle, T, N, 2, 2, 4, &One, P, 3, P, 4, &One, P, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(Gemm(&Handle, N, N, 2, 2, 4, &One, P, 2, P, 3, &One, P, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(Gemm(&Handle, N, N, 4, 2, 2, &One, P, 4, P, 2, &One, P, 3),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(Gemm(&Handle, N, N, 1, 1, 1, nullptr, P, 1, P, 1, &One, P, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(Gemm(&Handle, cublasOperation_t(7), N, 1, 1, 1, &One, P, 1, P, 1,
                 &One, P, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  // Nothing to do, and nothing is looked at.
  EXPECT_EQ(Gemm(&Handle, N, N, 0, 3, 3, &One, P, 1, P, 3, &One, P, 1),
            CUBLAS_STATUS_SUCCESS);
}

TEST(Blas, SizesThatOpenblasHasNoNumbersForAreRefused) {
  cublasContext Handle;
  float One = 1, *P = nullptr;
  const int64_t Large = int64_t(1) << 31;
  EXPECT_EQ(OURS(cublasSaxpy_v2_64)(&Handle, Large, &One, P, 1, P, 1),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(OURS(cublasSgemm_v2_64)(&Handle, N, N, Large, 1, 1, &One, P, Large,
                                    P, 1, &One, P, Large),
            CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST(Blas, TypesThatCanBeMultiplied) {
  auto Of = [](cudaDataType_t A, cudaDataType_t C, cublasComputeType_t How) {
    return GemmTypes{A, A, C, How}.arithmetic();
  };
  EXPECT_EQ(Of(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F), Arithmetic::Float);
  EXPECT_EQ(Of(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F_FAST_TF32),
            Arithmetic::Float);
  EXPECT_EQ(Of(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F), Arithmetic::Half);
  EXPECT_EQ(Of(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I), Arithmetic::Integer);
  EXPECT_EQ(Of(CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F),
            Arithmetic::ComplexDouble);
  EXPECT_EQ(Of(CUDA_R_32F, CUDA_R_16F, CUBLAS_COMPUTE_32F), Arithmetic::None);
  EXPECT_EQ(Of(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_32F), Arithmetic::None);
  const GemmTypes Two = {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F,
                         CUBLAS_COMPUTE_32F};
  EXPECT_EQ(Two.arithmetic(), Arithmetic::None);
}

TEST(Blas, WhatVectorsAndMatricesTouch) {
  auto *P = reinterpret_cast<float *>(0x1000);
  const TouchedBox Dense = BlasCall::vector(P, 5, 1);
  EXPECT_EQ(Dense.span(), 20u);
  EXPECT_EQ(Dense.Rows, 1u);
  const TouchedBox Back = BlasCall::vector(P, 5, -3); // The same memory as 3.
  EXPECT_EQ(Back.Address, 0x1000u);
  EXPECT_EQ(Back.span(), (4 * 3 + 1) * sizeof(float));
  EXPECT_EQ(Back.bytes(), 20u);
  EXPECT_EQ(BlasCall::vector(P, -1, 1).bytes(), 0u);
  const TouchedBox Matrix = BlasCall::matrix(P, 3, 4, 8);
  EXPECT_EQ(Matrix.span(), (3 * 8 + 3) * sizeof(float));
  EXPECT_EQ(batchOf(Matrix, 5, 1000).span(), 4000 + Matrix.span());
  EXPECT_EQ(batchOf(Matrix, 5, 0).span(), Matrix.span());
  EXPECT_EQ(batchOf(Matrix, 3, -1000).Address, 0x1000u - 2000u);
  EXPECT_EQ(BlasCall::packed(P, 4).span(), 40u);
}

} // namespace
