// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// schedule(monotonic : dynamic): every iteration once.

#include "check.h"

int main() {
  int Hits[300] = {}, Wrong = 0;
#pragma omp target map(tofrom : Hits)
  {
#pragma omp parallel for schedule(monotonic : dynamic)
    for (int I = 0; I < 300; ++I)
      Hits[I] += I + 1;
  }
  for (int I = 0; I < 300; ++I)
    Wrong += Hits[I] != I + 1;
  expect(Wrong == 0);
  return finish();
}
