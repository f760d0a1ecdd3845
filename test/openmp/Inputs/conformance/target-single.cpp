// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// target parallel with single and a barrier behind the tasks.

#include "check.h"

int main() {
  int A[8] = {}, Sum = 0;
#pragma omp target parallel map(tofrom : A, Sum)
  {
#pragma omp single
    for (int I = 0; I < 8; ++I) {
#pragma omp task firstprivate(I) shared(A)
      A[I] = I + 1;
    }
#pragma omp barrier
#pragma omp single
    for (int I = 0; I < 8; ++I)
      Sum += A[I];
  }
  expect(Sum == 36);
  return finish();
}
