// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskloop with firstprivate, private and shared variables.

#include "check.h"

int main() {
  int A[24] = {}, Wrong = 0, Offset = 5;
#pragma omp target parallel map(tofrom : A) firstprivate(Offset)
#pragma omp single
  {
    int Scratch = 9, Factor = 3;
#pragma omp taskloop grainsize(4) firstprivate(Offset) private(Scratch)        \
    shared(Factor, A)
    for (int I = 0; I < 24; ++I) {
      Scratch = I * Factor;
      A[I] = Scratch + Offset;
    }
  }
  for (int I = 0; I < 24; ++I)
    Wrong += A[I] != 3 * I + 5;
  expect(Wrong == 0);
  return finish();
}
