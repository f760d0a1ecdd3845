// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// target teams loop.

#include "check.h"

int main() {
  int A[1500] = {}, Wrong = 0;
#pragma omp target teams loop map(tofrom : A)
  for (int I = 0; I < 1500; ++I)
    A[I] += I;
  for (int I = 0; I < 1500; ++I)
    Wrong += A[I] != I;
  expect(Wrong == 0);
  return finish();
}
