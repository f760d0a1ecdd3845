// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// depend(out) then depend(in): the value is there.

#include "check.h"

int main() {
  int A = 0, B = 0, C = 0;
#pragma omp target parallel map(tofrom : A, B, C)
#pragma omp single
  {
#pragma omp task depend(out : A)
    A = 5;
#pragma omp task depend(in : A) depend(out : B)
    B = A + 1;
#pragma omp task depend(in : A, B) depend(out : C)
    C = A * 10 + B;
  }
  expect(A == 5 && B == 6 && C == 56);
  return finish();
}
