// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// atomic update of every operator.

#include "check.h"

int main() {
  int A = 0, B = 1000, C = 0, D = ~0, E = 0;
  double F = 1, G = 1 << 20;
#pragma omp target map(tofrom : A, B, C, D, E, F, G)
#pragma omp parallel for
  for (int I = 0; I < 20; ++I) {
#pragma omp atomic update
    A += I;
#pragma omp atomic
    B -= I;
#pragma omp atomic
    C |= 1 << I;
#pragma omp atomic
    D &= ~(1 << I);
#pragma omp atomic
    E ^= 1 << I;
#pragma omp atomic
    F *= 2;
#pragma omp atomic
    G = G / 2;
  }
  expect(A == 190 && B == 810 && C == 0xfffff && D == ~0xfffff && E == 0xfffff);
  expect(F == 1 << 20 && G == 1);
  return finish();
}
