// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mathematical functions in a region.

#include "check.h"
#include <math.h>

int main() {
  double A[50], Wrong = 0;
#pragma omp target map(from : A)
#pragma omp parallel for
  for (int I = 0; I < 50; ++I)
    A[I] = sqrt((double)I) + fabs(-1.0 * I) + floor(I + 0.5);
  for (int I = 0; I < 50; ++I)
    Wrong += fabs(A[I] - (sqrt((double)I) + 2 * I)) > 1e-12;
  expect(Wrong == 0);
  return finish();
}
