// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Writers wait for readers: depend(in) then depend(out).

#include "check.h"

int main() {
  int A = 1, R[8] = {};
#pragma omp target parallel map(tofrom : A, R)
#pragma omp single
  {
    for (int Round = 0; Round < 4; ++Round) {
#pragma omp task depend(in : A) depend(out : R[2 * Round])
      R[2 * Round] = A;
#pragma omp task depend(in : A) depend(out : R[2 * Round + 1])
      R[2 * Round + 1] = A;
#pragma omp task depend(out : A)
      A = Round + 2;
    }
  }
  for (int I = 0; I < 8; ++I)
    expect(R[I] == I / 2 + 1);
  expect(A == 5);
  return finish();
}
