// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// barrier: what was written before it is seen behind it.

#include "check.h"

int main() {
  int A[1024] = {}, Bad = 0;
#pragma omp target map(tofrom : A, Bad)
#pragma omp parallel
  {
    int Me = omp_get_thread_num(), All = omp_get_num_threads();
    for (int Round = 1; Round < 6; ++Round) {
      A[Me] = Round * 10 + Me;
#pragma omp barrier
      int Next = (Me + 1) % All;
      if (A[Next] != Round * 10 + Next)
#pragma omp atomic write
        Bad = 1;
#pragma omp barrier
    }
  }
  expect(Bad == 0);
  return finish();
}
