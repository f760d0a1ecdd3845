// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// collapse(2) and collapse(3).

#include "check.h"

int main() {
  int A[12][13] = {}, B[5][6][7] = {}, Wrong = 0;
#pragma omp target map(tofrom : A, B)
  {
#pragma omp parallel for collapse(2)
    for (int I = 0; I < 12; ++I)
      for (int J = 0; J < 13; ++J)
        A[I][J] += I * 13 + J;
#pragma omp parallel for collapse(3) schedule(dynamic, 4)
    for (int I = 0; I < 5; ++I)
      for (int J = 0; J < 6; ++J)
        for (int K = 0; K < 7; ++K)
          B[I][J][K] += I * 42 + J * 7 + K;
  }
  for (int I = 0; I < 12 * 13; ++I)
    Wrong += A[I / 13][I % 13] != I;
  for (int I = 0; I < 210; ++I)
    Wrong += B[I / 42][I / 7 % 6][I % 7] != I;
  expect(Wrong == 0);
  return finish();
}
