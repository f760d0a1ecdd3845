// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// target parallel with loops, barriers and thread numbers.

#include "check.h"

int main() {
  int A[100] = {}, Size = 0, Bad = 0;
#pragma omp target parallel map(tofrom : A, Size, Bad)
  {
#pragma omp for
    for (int I = 0; I < 100; ++I)
      A[I] = I;
#pragma omp for
    for (int I = 0; I < 100; ++I)
      if (A[99 - I] != 99 - I)
#pragma omp atomic write
        Bad = 1;
#pragma omp single
    Size = omp_get_num_threads();
  }
  expect(Size >= 1 && !Bad);
  return finish();
}
