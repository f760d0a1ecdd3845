// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// firstprivate on for: each thread begins with the value.

#include "check.h"

int main() {
  int Wrong = 0, Out[100] = {};
#pragma omp target map(tofrom : Out)
  {
    int Base = 40;
#pragma omp parallel
#pragma omp for firstprivate(Base) schedule(static, 1)
    for (int I = 0; I < 100; ++I) {
      Base += 1;
      Out[I] = Base > 40;
    }
  }
  for (int I = 0; I < 100; ++I)
    Wrong += !Out[I];
  expect(Wrong == 0);
  return finish();
}
