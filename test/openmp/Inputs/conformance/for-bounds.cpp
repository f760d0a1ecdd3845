// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that count down, in steps, over long and unsigned, and over nothing.

#include "check.h"

int main() {
  long A = 0, B = 0, C = 0, D = 0, E = 0;
#pragma omp target map(tofrom : A, B, C, D, E)
  {
#pragma omp parallel for reduction(+ : A)
    for (int I = 100; I > -7; I -= 3)
      A += I;
#pragma omp parallel for reduction(+ : B) schedule(dynamic, 3)
    for (long I = 5000000000; I < 5000000100; I += 7)
      B += I;
#pragma omp parallel for reduction(+ : C) schedule(static, 2)
    for (unsigned I = 4294967200u; I < 4294967290u; I += 4)
      C += I;
#pragma omp parallel for reduction(+ : D) schedule(guided)
    for (unsigned long I = 0; I < 90; ++I)
      D += I;
#pragma omp parallel for reduction(+ : E)
    for (int I = 5; I < 5; ++I)
      E += 1;
  }
  long WantA = 0, WantB = 0, WantC = 0;
  for (int I = 100; I > -7; I -= 3)
    WantA += I;
  for (long I = 5000000000; I < 5000000100; I += 7)
    WantB += I;
  for (unsigned I = 4294967200u; I < 4294967290u; I += 4)
    WantC += I;
  expect(A == WantA && B == WantB && C == WantC && D == 4005 && E == 0);
  return finish();
}
