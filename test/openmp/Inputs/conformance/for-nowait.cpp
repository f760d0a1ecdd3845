// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// for nowait, several loops of one region.

#include "check.h"

int main() {
  int A[300] = {}, B[300] = {}, C[300] = {}, Wrong = 0;
#pragma omp target map(tofrom : A, B, C)
#pragma omp parallel
  {
#pragma omp for nowait schedule(dynamic)
    for (int I = 0; I < 300; ++I)
      A[I] += I;
#pragma omp for nowait schedule(guided)
    for (int I = 0; I < 300; ++I)
      B[I] += 2 * I;
#pragma omp for nowait
    for (int I = 0; I < 300; ++I)
      C[I] += 3 * I;
  }
  for (int I = 0; I < 300; ++I)
    Wrong += A[I] != I || B[I] != 2 * I || C[I] != 3 * I;
  expect(Wrong == 0);
  return finish();
}
