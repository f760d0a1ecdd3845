// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// barrier in teams that are not whole warps.

#include "check.h"

int main() {
  int A[64] = {}, Bad = 0;
#pragma omp target map(tofrom : A, Bad)
  for (int Size = 2; Size < 45; Size += 7) {
#pragma omp parallel num_threads(Size)
    {
      int Me = omp_get_thread_num(), All = omp_get_num_threads();
      A[Me] = Size + Me;
#pragma omp barrier
      if (A[All - 1 - Me] != Size + All - 1 - Me)
#pragma omp atomic write
        Bad = 1;
    }
  }
  expect(Bad == 0);
  return finish();
}
