// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lastprivate under static, chunked, dynamic and guided schedules.

#include "check.h"

int main() {
  int A = 0, B = 0, C = 0, D = 0;
#pragma omp target map(tofrom : A, B, C, D)
  {
#pragma omp parallel for lastprivate(A)
    for (int I = 0; I < 203; ++I)
      A = I;
#pragma omp parallel for lastprivate(B) schedule(static, 9)
    for (int I = 0; I < 203; ++I)
      B = I * 2;
#pragma omp parallel for lastprivate(C) schedule(monotonic : dynamic, 4)
    for (int I = 0; I < 203; ++I)
      C = I * 3;
#pragma omp parallel for lastprivate(D) schedule(guided)
    for (int I = 0; I < 203; ++I)
      D = I * 4;
  }
  expect(A == 202 && B == 404 && C == 606 && D == 808);
  return finish();
}
