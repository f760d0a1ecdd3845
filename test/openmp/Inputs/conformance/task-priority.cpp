// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// priority, untied and mergeable change no result.

#include "check.h"

int main() {
  int A[4] = {};
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
    for (int I = 0; I < 4; ++I) {
#pragma omp task priority(I) untied mergeable firstprivate(I) depend(out : A[I])
      A[I] = I + 1;
    }
#pragma omp taskyield
  }
  for (int I = 0; I < 4; ++I)
    expect(A[I] == I + 1);
  return finish();
}
