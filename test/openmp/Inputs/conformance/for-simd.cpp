// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// parallel for simd.

#include "check.h"

int main() {
  float X[777], Y[777];
  int Wrong = 0;
  for (int I = 0; I < 777; ++I)
    X[I] = I, Y[I] = 1;
#pragma omp target map(to : X) map(tofrom : Y)
#pragma omp parallel for simd
  for (int I = 0; I < 777; ++I)
    Y[I] += 2 * X[I];
  for (int I = 0; I < 777; ++I)
    Wrong += Y[I] != 1 + 2.0f * I;
  expect(Wrong == 0);
  return finish();
}
