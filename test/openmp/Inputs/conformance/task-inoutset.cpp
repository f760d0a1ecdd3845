// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// depend(inoutset): one set, then its readers.

#include "check.h"

int main() {
  int A[8] = {}, B = 0;
#pragma omp target parallel map(tofrom : A, B)
#pragma omp single
  {
#pragma omp task depend(out : A[0])
    A[0] = 1;
    for (int I = 0; I < 8; ++I) {
#pragma omp task depend(inoutset : A[0]) firstprivate(I)
      A[I] += I;
    }
#pragma omp task depend(in : A[0])
    for (int I = 0; I < 8; ++I)
      B += A[I];
  }
  expect(B == 29);
  return finish();
}
