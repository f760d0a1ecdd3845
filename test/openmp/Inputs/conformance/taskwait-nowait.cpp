// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskwait depend nowait orders tasks and waits for none.

#include "check.h"

int main() {
  int A = 0, B = 0, C = 0;
#pragma omp target parallel map(tofrom : A, B, C)
#pragma omp single
  {
#pragma omp task depend(out : A)
    A = 1;
#pragma omp task depend(out : B)
    B = 2;
#pragma omp taskwait depend(in : A) depend(inout : B) nowait
#pragma omp task depend(in : B) shared(C)
    C = A * 10 + B;
  }
  expect(C == 12);
  return finish();
}
