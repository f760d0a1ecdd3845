// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// order(concurrent) and loop with bind.

#include "check.h"

int main() {
  int A[64] = {}, Wrong = 0;
#pragma omp target teams distribute parallel for order(concurrent)             \
    map(tofrom : A)
  for (int I = 0; I < 64; ++I)
    A[I] += I;
#pragma omp target teams map(tofrom : A)
#pragma omp loop bind(teams)
  for (int I = 0; I < 64; ++I)
    A[I] += 100;
#pragma omp target parallel map(tofrom : A)
#pragma omp loop bind(parallel)
  for (int I = 0; I < 64; ++I)
    A[I] += 1000;
  for (int I = 0; I < 64; ++I)
    Wrong += A[I] != I + 1100;
  expect(Wrong == 0);
  return finish();
}
