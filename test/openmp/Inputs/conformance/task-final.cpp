// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// final tasks, and omp_in_final.

#include "check.h"

int main() {
  int A = 0, In = 0;
#pragma omp target parallel map(tofrom : A, In)
#pragma omp single
  {
#pragma omp task final(1) shared(A, In) depend(out : A)
    {
      In = omp_in_final();
      A = 2;
    }
#pragma omp task final(0) depend(inout : A)
    A += 1;
  }
  expect(A == 3 && In == 1);
  return finish();
}
