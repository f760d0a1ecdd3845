// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// depend(inout): a chain.

#include "check.h"

int main() {
  long A = 1;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
    for (int I = 1; I <= 10; ++I) {
#pragma omp task depend(inout : A) firstprivate(I)
      A = A * 3 + I;
    }
  }
  long W = 1;
  for (int I = 1; I <= 10; ++I)
    W = W * 3 + I;
  expect(A == W);
  return finish();
}
