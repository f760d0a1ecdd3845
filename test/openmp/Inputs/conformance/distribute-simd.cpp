// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// target teams distribute parallel for simd collapse(2).

#include "check.h"

int main() {
  double A[40][50] = {};
  int Wrong = 0;
#pragma omp target teams distribute parallel for simd collapse(2)              \
    map(tofrom : A)
  for (int I = 0; I < 40; ++I)
    for (int J = 0; J < 50; ++J)
      A[I][J] += I * 50 + J;
  for (int I = 0; I < 2000; ++I)
    Wrong += A[I / 50][I % 50] != I;
  expect(Wrong == 0);
  return finish();
}
