// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskloop simd.

#include "check.h"

int main() {
  float A[64];
  int Wrong = 0;
#pragma omp target parallel map(from : A)
#pragma omp single
#pragma omp taskloop simd grainsize(16)
  for (int I = 0; I < 64; ++I)
    A[I] = I * 0.5f;
  for (int I = 0; I < 64; ++I)
    Wrong += A[I] != I * 0.5f;
  expect(Wrong == 0);
  return finish();
}
