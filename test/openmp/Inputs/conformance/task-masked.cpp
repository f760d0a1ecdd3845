// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks made by the thread that masked chooses.

#include "check.h"

int main() {
  int A[4] = {};
#pragma omp target parallel map(tofrom : A)
#pragma omp masked
  for (int I = 0; I < 4; ++I) {
#pragma omp task firstprivate(I) depend(out : A[I])
    A[I] = I + 1;
  }
  expect(A[0] == 1 && A[3] == 4);
  return finish();
}
