// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskloop with a reduction, and taskloop simd.

#include "check.h"

int main() {
  int Sum = 1, A[60] = {};
#pragma omp target parallel map(tofrom : Sum, A)
#pragma omp single
  {
#pragma omp taskloop reduction(+ : Sum)
    for (int I = 0; I < 60; ++I)
      Sum += I;
#pragma omp taskloop simd
    for (int I = 0; I < 60; ++I)
      A[I] = I;
  }
  expect(Sum == 1771 && A[59] == 59);
  return finish();
}
