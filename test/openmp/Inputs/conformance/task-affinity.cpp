// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// affinity is a hint.

#include "check.h"

int main() {
  int A[4] = {};
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  for (int I = 0; I < 4; ++I) {
#pragma omp task affinity(A[I]) firstprivate(I) depend(out : A[I])
    A[I] = I + 1;
  }
  expect(A[0] == 1 && A[3] == 4);
  return finish();
}
