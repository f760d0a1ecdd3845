// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// masked taskloop and parallel masked taskloop.

#include "check.h"

int main() {
  int A[30] = {}, Wrong = 0;
#pragma omp target map(tofrom : A)
  {
#pragma omp parallel
#pragma omp masked taskloop grainsize(4)
    for (int I = 0; I < 30; ++I)
      A[I] += I;
#pragma omp parallel masked taskloop num_tasks(3) shared(A)
    for (int I = 0; I < 30; ++I)
      A[I] += 100;
  }
  for (int I = 0; I < 30; ++I)
    Wrong += A[I] != I + 100;
  expect(Wrong == 0);
  return finish();
}
