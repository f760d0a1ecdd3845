// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks right in a target region, by its only thread.

#include "check.h"

int main() {
  int A[6] = {}, Wrong = 0;
#pragma omp target map(tofrom : A)
  {
    for (int I = 1; I < 6; ++I) {
#pragma omp task depend(in : A[I - 1]) depend(inout : A[I]) shared(A)
      A[I] += A[I - 1] + I;
    }
#pragma omp taskwait
  }
  for (int I = 0, W = 0; I < 6; ++I)
    Wrong += A[I] != (W += I);
  expect(Wrong == 0);
  return finish();
}
