// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A reduction, and locals that its team shares, inside of a task.

#include "check.h"

int main() {
  double A[256], S[4] = {};
  for (int I = 0; I < 256; ++I)
    A[I] = I;
#pragma omp target parallel map(tofrom : A, S)
#pragma omp single
  {
    for (int B = 0; B < 4; ++B) {
#pragma omp task depend(in : A[B * 64 : 64]) depend(out : S[B]) firstprivate(B)
      {
        double Sum = 0, Scratch[64];
#pragma omp parallel for
        for (int I = 0; I < 64; ++I)
          Scratch[I] = A[B * 64 + I] * 2;
#pragma omp parallel for reduction(+ : Sum)
        for (int I = 0; I < 64; ++I)
          Sum += Scratch[63 - I];
        S[B] = Sum;
      }
    }
  }
  for (int B = 0; B < 4; ++B) {
    double W = 0;
    for (int I = 0; I < 64; ++I)
      W += 2 * A[B * 64 + I];
    expect(S[B] == W);
  }
  return finish();
}
