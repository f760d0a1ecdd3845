// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskloop with if, final, priority and untied.

#include "check.h"

int main() {
  int A[20] = {}, Seen = 0, Final = 0;
#pragma omp target parallel map(tofrom : A, Seen, Final)
#pragma omp single
  {
#pragma omp taskloop if (0) grainsize(5) nogroup
    for (int I = 0; I < 20; ++I)
      A[I] = I;
    Seen = A[19];
#pragma omp taskloop final(1) priority(3) untied grainsize(5)
    for (int I = 0; I < 20; ++I)
      if (omp_in_final())
        A[I] += 1;
  }
  for (int I = 0; I < 20; ++I)
    Final += A[I] == I + 1;
  expect(Seen == 19 && Final == 20);
  return finish();
}
