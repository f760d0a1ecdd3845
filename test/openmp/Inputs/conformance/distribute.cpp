// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// teams distribute, with parallel for inside.

#include "check.h"

int main() {
  int A[20][30] = {}, Wrong = 0;
#pragma omp target teams distribute map(tofrom : A)
  for (int I = 0; I < 20; ++I) {
    int Base = I * 30;
#pragma omp parallel for
    for (int J = 0; J < 30; ++J)
      A[I][J] += Base + J;
  }
  for (int I = 0; I < 600; ++I)
    Wrong += A[I / 30][I % 30] != I;
  expect(Wrong == 0);
  return finish();
}
