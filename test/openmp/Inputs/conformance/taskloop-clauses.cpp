// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskloop with grainsize, num_tasks, collapse, nogroup and lastprivate.

#include "check.h"

int main() {
  int A[100] = {}, Last = 0, Wrong = 0;
#pragma omp target parallel map(tofrom : A, Last)
#pragma omp single
  {
#pragma omp taskloop grainsize(7)
    for (int I = 0; I < 100; ++I)
      A[I] += 1;
#pragma omp taskloop num_tasks(5) lastprivate(Last)
    for (int I = 0; I < 100; ++I) {
      A[I] += 10;
      Last = I;
    }
#pragma omp taskloop collapse(2) nogroup
    for (int I = 0; I < 10; ++I)
      for (int J = 0; J < 10; ++J)
        A[I * 10 + J] += 100;
  }
  for (int I = 0; I < 100; ++I)
    Wrong += A[I] != 111;
  expect(Wrong == 0 && Last == 99);
  return finish();
}
