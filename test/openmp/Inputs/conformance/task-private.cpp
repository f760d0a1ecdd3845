// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// private variables of a task.

#include "check.h"

int main() {
  int A[6] = {};
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
    int Own = 99;
    for (int I = 0; I < 6; ++I) {
#pragma omp task private(Own) firstprivate(I) depend(out : A[I])
      {
        Own = I * 2;
        A[I] = Own + 1;
      }
    }
    A[0] += Own - 99;
  }
  for (int I = 0; I < 6; ++I)
    expect(I == 0 || A[I] == 2 * I + 1);
  return finish();
}
