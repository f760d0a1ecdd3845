// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskwait: the children are done.

#include "check.h"

int main() {
  int A[10] = {}, Sum = 0;
#pragma omp target parallel map(tofrom : A, Sum)
#pragma omp single
  {
    for (int I = 0; I < 10; ++I) {
#pragma omp task firstprivate(I)
      A[I] = I;
    }
#pragma omp taskwait
#pragma omp task
    for (int I = 0; I < 10; ++I)
      Sum += A[I];
  }
  expect(Sum == 45);
  return finish();
}
