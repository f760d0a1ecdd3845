// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks in C.

#include "check.h"

int main(void) {
  int A[10] = {0}, I, Wrong = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
    for (I = 1; I < 10; ++I) {
#pragma omp task depend(in : A[I - 1]) depend(out : A[I]) firstprivate(I)
      A[I] = A[I - 1] + I;
    }
  }
  for (I = 0; I < 10; ++I)
    Wrong += A[I] != I * (I + 1) / 2;
  expect(Wrong == 0);
  return finish();
}
