// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// atomic on numbers of every size.

#include "check.h"

int main() {
  unsigned char A = 0;
  short B = 0;
  long C = 0;
  float D = 0;
  unsigned long long E = 0;
#pragma omp target map(tofrom : A, B, C, D, E)
#pragma omp parallel for
  for (int I = 0; I < 100; ++I) {
#pragma omp atomic
    A += 1;
#pragma omp atomic
    B += 2;
#pragma omp atomic
    C += 1L << 33;
#pragma omp atomic
    D += 0.5f;
#pragma omp atomic
    E += 3;
  }
  expect(A == 100 && B == 200 && C == 100L << 33 && D == 50 && E == 300);
  return finish();
}
