// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskloop: every iteration once.

#include "check.h"

int main() {
  int A[100] = {}, Wrong = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
#pragma omp taskloop
    for (int I = 0; I < 100; ++I)
      A[I] += I;
  }
  for (int I = 0; I < 100; ++I)
    Wrong += A[I] != I;
  expect(Wrong == 0);
  return finish();
}
