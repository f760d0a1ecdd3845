// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Untied tasks keep their variables over scheduling points.

#include "check.h"

int main() {
  int A[8] = {}, B[8] = {}, Wrong = 0;
#pragma omp target parallel map(tofrom : A, B)
#pragma omp single
  for (int I = 0; I < 8; ++I) {
#pragma omp task untied firstprivate(I) depend(out : A[I])
    {
      int Own = I * 2;
      for (int K = 0; K < 3; ++K) {
#pragma omp taskyield
        Own += K;
      }
      A[I] = Own;
    }
#pragma omp task untied firstprivate(I) depend(out : B[I])
    {
      int Own = I;
#pragma omp task untied shared(Own)
      Own *= 5;
#pragma omp taskwait
      B[I] = Own;
    }
  }
  for (int I = 0; I < 8; ++I)
    Wrong += A[I] != 2 * I + 3 || B[I] != 5 * I;
  expect(Wrong == 0);
  return finish();
}
