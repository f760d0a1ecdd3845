// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// depend on array sections that overlap in part.

#include "check.h"

int main() {
  int A[40] = {};
  int Wrong = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
    for (int I = 0; I + 10 <= 40; I += 5) {
#pragma omp task depend(inout : A[I : 10]) firstprivate(I)
      for (int J = I; J < I + 10; ++J)
        A[J] = 2 * A[J] + 1;
    }
  }
  int W[40] = {};
  for (int I = 0; I + 10 <= 40; I += 5)
    for (int J = I; J < I + 10; ++J)
      W[J] = 2 * W[J] + 1;
  for (int I = 0; I < 40; ++I)
    Wrong += A[I] != W[I];
  expect(Wrong == 0);
  return finish();
}
