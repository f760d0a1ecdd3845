// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Regions with tasks, deferred by nowait and run from several host threads.

#include "check.h"

int main() {
  int A[4][8] = {}, Wrong = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int R = 0; R < 4; ++R) {
#pragma omp target nowait map(tofrom : A[R][0 : 8]) firstprivate(R)
    {
      for (int I = 0; I < 8; ++I) {
#pragma omp task depend(inout : A[R][I]) firstprivate(I, R)
        A[R][I] += R + I;
#pragma omp task depend(inout : A[R][I]) firstprivate(I, R)
        A[R][I] *= 2;
      }
    }
  }
  for (int R = 0; R < 4; ++R)
    for (int I = 0; I < 8; ++I)
      Wrong += A[R][I] != 2 * (R + I);
  expect(Wrong == 0);
  return finish();
}
