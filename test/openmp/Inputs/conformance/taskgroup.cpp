// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskgroup: all tasks in it are done behind it.

#include "check.h"

int main() {
  int A[10] = {}, Sum = 0;
#pragma omp target parallel map(tofrom : A, Sum)
#pragma omp single
  {
#pragma omp taskgroup
    for (int I = 0; I < 10; ++I) {
#pragma omp task firstprivate(I)
      A[I] = I + 1;
    }
#pragma omp task
    for (int I = 0; I < 10; ++I)
      Sum += A[I];
  }
  expect(Sum == 55);
  return finish();
}
