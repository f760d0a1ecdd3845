// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sections: each is run once.

#include "check.h"

int main() {
  int A = 0, B = 0, C = 0, D = 0;
#pragma omp target map(tofrom : A, B, C, D)
#pragma omp parallel sections lastprivate(D)
  {
#pragma omp section
    {
      A += 1;
      D = 1;
    }
#pragma omp section
    {
      B += 2;
      D = 2;
    }
#pragma omp section
    {
      C += 3;
      D = 3;
    }
  }
  expect(A == 1 && B == 2 && C == 3 && D == 3);
  return finish();
}
