// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A few functions of cuBLAS and cuRAND that print what they are given.

#include <cstddef>
#include <cstdio>

extern "C" {

int cublasCreate_v2(void **Handle) {
  *Handle = Handle;
  std::printf("their cublasCreate\n");
  return 0;
}

/// Fourteen arguments, most of them on the stack.
int cublasXtSgemm(void *, int OpA, int OpB, size_t M, size_t N, size_t K,
                  const float *Alpha, const float *, size_t Lda, const float *,
                  size_t Ldb, const float *Beta, float *, size_t Ldc) {
  std::printf("their cublasXtSgemm %d %d %zu %zu %zu %g %zu %zu %g %zu\n", OpA,
              OpB, M, N, K, double(*Alpha), Lda, Ldb, double(*Beta), Ldc);
  return 3;
}

int curandGenerateNormalDouble(void *, double *, size_t N, double Mean,
                               double Deviation) {
  std::printf("their curandGenerateNormalDouble %zu %g %g\n", N, Mean,
              Deviation);
  return 0;
}
}
