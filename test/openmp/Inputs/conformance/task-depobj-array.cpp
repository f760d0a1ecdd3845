// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An array of depobjs, several of them in one clause.

#include "check.h"

int main() {
  int A[4] = {}, Sum = 0;
#pragma omp target parallel map(tofrom : A, Sum)
#pragma omp single
  {
    omp_depend_t Objects[4];
    for (int I = 0; I < 4; ++I) {
#pragma omp depobj(Objects[I]) depend(inout : A[I])
    }
    for (int I = 0; I < 4; ++I) {
#pragma omp task depend(depobj : Objects[I]) firstprivate(I)
      A[I] = I + 1;
    }
#pragma omp task depend(depobj : Objects[0], Objects[1], Objects[2], Objects[3])
    Sum = A[0] + A[1] + A[2] + A[3];
#pragma omp taskwait
    for (int I = 0; I < 4; ++I) {
#pragma omp depobj(Objects[I]) destroy
    }
  }
  expect(Sum == 10);
  return finish();
}
