// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that use variables of declare target.

#include "check.h"

#pragma omp begin declare target
int Table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int lookUp(int I) { return Table[I]; }
#pragma omp end declare target

int main() {
  int A[8] = {}, Wrong = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  for (int I = 0; I < 8; ++I) {
#pragma omp task firstprivate(I) depend(inout : A[I])
    A[I] += lookUp(I);
#pragma omp task firstprivate(I) depend(in : A[I])
    Table[I] = 10 * A[I];
  }
#pragma omp target update from(Table)
  for (int I = 0; I < 8; ++I)
    Wrong += A[I] != I + 1 || Table[I] != 10 * (I + 1);
  expect(Wrong == 0);
  return finish();
}
