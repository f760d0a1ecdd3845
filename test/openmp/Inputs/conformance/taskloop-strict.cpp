// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskloop with strict sizes: of a grainsize all tasks but the last have as
// many iterations, of a number of tasks the first ones have one more.

#include "check.h"

int main() {
  int First[100], Wrong = 0;
#pragma omp target parallel map(from : First)
#pragma omp single
  {
    int Begin = -1;
#pragma omp taskloop grainsize(strict : 30) firstprivate(Begin)
    for (int I = 0; I < 100; ++I) {
      if (Begin < 0)
        Begin = I;
      First[I] = Begin;
    }
  }
  for (int I = 0; I < 100; ++I)
    Wrong += First[I] != I / 30 * 30;
  expect(Wrong == 0);
#pragma omp target parallel map(from : First)
#pragma omp single
  {
    int Begin = -1;
#pragma omp taskloop num_tasks(strict : 8) firstprivate(Begin)
    for (int I = 0; I < 100; ++I) {
      if (Begin < 0)
        Begin = I;
      First[I] = Begin;
    }
  }
  for (int I = 0; I < 100; ++I)
    Wrong += First[I] != (I < 52 ? I / 13 * 13 : 52 + (I - 52) / 12 * 12);
  expect(Wrong == 0);
  return finish();
}
