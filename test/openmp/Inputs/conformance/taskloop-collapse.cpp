// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskloop over two loops, without a group, and over a loop that goes down.

#include "check.h"

int main() {
  int A[60] = {}, Wrong = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
#pragma omp taskloop collapse(2) nogroup grainsize(7)
    for (int I = 0; I < 6; ++I)
      for (int J = 0; J < 10; ++J)
        A[I * 10 + J] += I + J;
#pragma omp taskwait
#pragma omp taskloop num_tasks(4)
    for (int I = 59; I > 0; I -= 2)
      A[I] += 100;
#pragma omp taskloop
    for (unsigned long I = 0; I < 60; I += 7)
      A[I] += 1000;
  }
  for (int I = 0; I < 60; ++I)
    Wrong += A[I] != I / 10 + I % 10 + (I % 2) * 100 + (I % 7 == 0) * 1000;
  expect(Wrong == 0);
  return finish();
}
