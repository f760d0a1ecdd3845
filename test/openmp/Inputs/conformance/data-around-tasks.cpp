// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Regions with tasks inside target data and between enter data and exit data.

#include "check.h"

int main() {
  int A[8] = {}, Wrong = 0;
  int *P = A;
#pragma omp target enter data map(to : P[0 : 8])
#pragma omp target parallel map(tofrom : P[0 : 8])
#pragma omp single
  for (int I = 0; I < 8; ++I) {
#pragma omp task firstprivate(I) depend(out : P[I])
    P[I] = I;
  }
  for (int I = 0; I < 8; ++I)
    Wrong += A[I] != 0;
#pragma omp target update from(P[0 : 4])
  Wrong += A[3] != 3 || A[4] != 0;
#pragma omp target data map(P[0 : 8]) use_device_addr(P[0 : 8])
#pragma omp target parallel has_device_addr(P[0 : 8])
#pragma omp single
  for (int I = 0; I < 8; ++I) {
#pragma omp task firstprivate(I) depend(inout : P[I])
    P[I] *= 3;
  }
#pragma omp target exit data map(from : P[0 : 8])
  for (int I = 0; I < 8; ++I)
    Wrong += A[I] != 3 * I;
  expect(Wrong == 0);
  return finish();
}
