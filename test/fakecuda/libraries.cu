// On a GPU calls of cuBLAS, cuFFT and cuRAND lead on to NVIDIA's libraries with all their arguments, each found once, those that we do not have too; what a library lacks, or its absence, is said once.
// UNSUPPORTED: sanitized
// REQUIRES: cublas
// RUN: rm -rf %t && mkdir %t
// RUN: clang++-22 -std=c++20 -O1 -shared -fPIC -isystem %cuda/include %S/FakeRuntime.cpp -o %t/libcudart.so.13
// RUN: clang++-22 -O1 -shared -fPIC %S/FakeDriver.cpp -o %t/libcuda.so.1
// RUN: clang++-22 -O1 -Wall -Wextra -Werror -shared -fPIC %S/FakeLibraries.cpp -o %t/libcublas.so.13
// RUN: cp %t/libcublas.so.13 %t/libcurand.so.10
// RUN: %bmclangxx -O1 -fblockmaestro %s -o %t/app -lcublas -lcurand
// RUN: env LD_LIBRARY_PATH=%t BLOCKMAESTRO_DEVICE=cuda %t/app 2>&1 | FileCheck %s
// RUN: readelf -d %t/app | FileCheck --check-prefix=NEEDED %s

// NEEDED-NOT: libcublas
// NEEDED-NOT: libcurand
// NEEDED: libblockmaestro.so

#include <cstdio>
#include <cublasXt.h>
#include <cublas_v2.h>
#include <curand.h>

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  cublasHandle_t Handle;
  const float Two = 2, Half = 0.5f;
  // CHECK: their cublasCreate
  // CHECK-NEXT: status 0
  std::printf("status %d\n", cublasCreate(&Handle));
  for (size_t I = 0; I < 2; ++I)
    // CHECK-NEXT: their cublasXtSgemm 1 2 10 11 12 2 13 14 0.5 15
    // CHECK-NEXT: status 3
    // CHECK-NEXT: their cublasXtSgemm 1 2 11 11 12 2 13 14 0.5 15
    // CHECK-NEXT: status 3
    std::printf("status %d\n", cublasXtSgemm(nullptr, CUBLAS_OP_T, CUBLAS_OP_C, 10 + I, 11, 12, &Two, nullptr, 13,
                                             nullptr, 14, &Half, nullptr, 15));
  // CHECK-NEXT: their curandGenerateNormalDouble 100 1.5 0.25
  curandGenerateNormalDouble(nullptr, nullptr, 100, 1.5, 0.25);
  // CHECK-NEXT: BlockMaestro: libcublas.so.13 has no cublasDestroy_v2
  // CHECK-NEXT: status 15
  // CHECK-NEXT: status 15
  for (int I = 0; I < 2; ++I)
    std::printf("status %d\n", cublasDestroy(Handle));
}
