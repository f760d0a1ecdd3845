// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// parallel for in tasks that depend on each other.

#include "check.h"

int main() {
  double A[256] = {};
  int Wrong = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
    for (int Round = 0; Round < 3; ++Round)
      for (int B = 0; B < 4; ++B) {
#pragma omp task depend(inout : A[B * 64 : 64]) firstprivate(B)
        {
#pragma omp parallel for
          for (int I = 0; I < 64; ++I)
            A[B * 64 + I] += B + 1;
        }
      }
  }
  for (int I = 0; I < 256; ++I)
    Wrong += A[I] != 3 * (I / 64 + 1);
  expect(Wrong == 0);
  return finish();
}
