// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks of a league of one, made by its master.

#include "check.h"

int main() {
  int A[8] = {}, Wrong = 0;
#pragma omp target teams num_teams(1) map(tofrom : A)
#pragma omp parallel
#pragma omp master
  for (int Round = 0; Round < 3; ++Round)
    for (int I = 0; I < 8; ++I) {
#pragma omp task depend(inout : A[I]) firstprivate(I)
      A[I] = A[I] * 2 + I;
    }
  for (int I = 0; I < 8; ++I)
    Wrong += A[I] != 7 * I;
  expect(Wrong == 0);
  return finish();
}
