// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// task if(0): done before its creator goes on.

#include "check.h"

int main() {
  int A = 0, Seen = 0;
#pragma omp target parallel map(tofrom : A, Seen)
#pragma omp single
  {
#pragma omp task depend(out : A)
    A = 1;
#pragma omp task if (0) depend(inout : A)
    A += 10;
    Seen = A;
  }
  expect(A == 11 && Seen == 11);
  return finish();
}
