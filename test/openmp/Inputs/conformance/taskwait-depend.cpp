// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskwait depend: those tasks are done.

#include "check.h"

int main() {
  int A = 0, B = 0;
#pragma omp target parallel map(tofrom : A, B)
#pragma omp single
  {
#pragma omp task depend(out : A)
    A = 6;
#pragma omp taskwait depend(in : A)
#pragma omp task
    B = A;
  }
  expect(A == 6 && B == 6);
  return finish();
}
