// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// tile and unroll in regions; assume and nothing.

#include "check.h"

int main() {
  int A[48] = {}, Wrong = 0;
#pragma omp target parallel map(tofrom : A)
  {
#pragma omp for
#pragma omp tile sizes(5)
    for (int I = 0; I < 48; ++I)
      A[I] += I;
#pragma omp for
#pragma omp unroll partial(4)
    for (int I = 0; I < 48; ++I)
      A[I] += 100;
#pragma omp nothing
  }
  for (int I = 0; I < 48; ++I)
    Wrong += A[I] != I + 100;
  expect(Wrong == 0);
  return finish();
}
