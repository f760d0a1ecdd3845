// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks made in a loop whose chunks are given out at run time.

#include "check.h"

int main() {
  int A[32] = {}, Wrong = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp for schedule(dynamic)
  for (int I = 0; I < 32; ++I) {
#pragma omp task firstprivate(I) depend(inout : A[I])
    A[I] += I;
  }
  for (int I = 0; I < 32; ++I)
    Wrong += A[I] != I;
  expect(Wrong == 0);
  return finish();
}
