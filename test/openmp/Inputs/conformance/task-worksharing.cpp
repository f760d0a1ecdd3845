// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks made in loops and sections of the region.

#include "check.h"

int main() {
  int A[32] = {}, B[2] = {}, Wrong = 0;
#pragma omp target parallel map(tofrom : A, B)
  {
#pragma omp for
    for (int I = 0; I < 32; ++I) {
#pragma omp task firstprivate(I) depend(inout : A[I])
      A[I] += I;
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp task depend(out : B[0])
        B[0] = 7;
      }
#pragma omp section
      {
#pragma omp task depend(out : B[1])
        B[1] = 8;
      }
    }
  }
  for (int I = 0; I < 32; ++I)
    Wrong += A[I] != I;
  expect(Wrong == 0 && B[0] == 7 && B[1] == 8);
  return finish();
}
