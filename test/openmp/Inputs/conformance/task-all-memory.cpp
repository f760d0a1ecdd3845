// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// depend(inout: omp_all_memory): everything before and behind.

#include "check.h"

int main() {
  int A = 0, B = 0, C = 0;
#pragma omp target parallel map(tofrom : A, B, C)
#pragma omp single
  {
#pragma omp task depend(out : A)
    A = 3;
#pragma omp task depend(out : B)
    B = 4;
#pragma omp task depend(inout : omp_all_memory)
    C = A * B;
#pragma omp task depend(inout : A)
    A = C + 1;
  }
  expect(A == 13 && C == 12);
  return finish();
}
