// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// depend(mutexinoutset): in any order, one at a time.

#include "check.h"

int main() {
  long A = 0, B = 0;
#pragma omp target parallel map(tofrom : A, B)
#pragma omp single
  {
#pragma omp task depend(out : A)
    A = 100;
    for (int I = 0; I < 10; ++I) {
#pragma omp task depend(mutexinoutset : A) firstprivate(I)
      A += I;
    }
#pragma omp task depend(in : A) depend(out : B)
    B = A;
  }
  expect(A == 145 && B == 145);
  return finish();
}
