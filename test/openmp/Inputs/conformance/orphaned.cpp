// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Worksharing, single and critical in a function that a team calls.

#include "check.h"

#pragma omp declare target
void work(int *A, int *Count) {
#pragma omp for schedule(dynamic)
  for (int I = 0; I < 64; ++I) {
    A[I] += I;
#pragma omp critical
    *Count += 1;
  }
#pragma omp single
  *Count += 1;
}
#pragma omp end declare target

int main() {
  int A[64] = {}, Count = 0, Alone = 0, Wrong = 0;
#pragma omp target map(tofrom : A, Count, Alone)
  {
#pragma omp parallel
    work(A, &Count);
    int B[64] = {}, Once = 0;
    work(B, &Once);
    Alone = Once + B[63];
  }
  for (int I = 0; I < 64; ++I)
    Wrong += A[I] != I;
  expect(Wrong == 0 && Count == 65 && Alone == 65 + 63);
  return finish();
}
