// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// critical: one thread at a time changes several variables.

#include "check.h"

int main() {
  int A = 0, B = 0, Size = 0;
#pragma omp target map(tofrom : A, B, Size)
#pragma omp parallel
  {
#pragma omp critical
    {
      A = A + 1;
      B = B + A;
    }
#pragma omp single
    Size = omp_get_num_threads();
  }
  expect(A == Size && B == Size * (Size + 1) / 2);
  return finish();
}
