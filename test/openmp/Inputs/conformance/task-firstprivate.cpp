// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// firstprivate: a copy of the time of creation, also of arrays.

#include "check.h"

int main() {
  int A[5] = {};
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
    int Small[3] = {1, 2, 3};
    for (int I = 0; I < 5; ++I) {
#pragma omp task firstprivate(I, Small) depend(out : A[I])
      A[I] = I + Small[0] + Small[1] + Small[2];
      Small[2] += 10;
    }
  }
  for (int I = 0; I < 5; ++I)
    expect(A[I] == I + 6 + 10 * I);
  return finish();
}
