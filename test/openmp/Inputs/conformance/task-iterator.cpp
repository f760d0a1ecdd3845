// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// depend with an iterator: one task that waits for many.

#include "check.h"

int main() {
  int A[16] = {}, Sum = 0;
#pragma omp target parallel map(tofrom : A, Sum)
#pragma omp single
  {
    for (int I = 0; I < 16; ++I) {
#pragma omp task depend(out : A[I]) firstprivate(I)
      A[I] = I * I;
    }
#pragma omp task depend(iterator(J = 0 : 16), in : A[J])
    for (int J = 0; J < 16; ++J)
      Sum += A[J];
  }
  expect(Sum == 1240);
  return finish();
}
