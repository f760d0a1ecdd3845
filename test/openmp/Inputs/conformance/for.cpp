// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// parallel for: every iteration once.

#include "check.h"

int main() {
  int Hits[1000] = {}, Wrong = 0;
#pragma omp target map(tofrom : Hits)
  {
#pragma omp parallel for
    for (int I = 0; I < 1000; ++I)
      Hits[I] += I + 1;
  }
  for (int I = 0; I < 1000; ++I)
    Wrong += Hits[I] != I + 1;
  expect(Wrong == 0);
  return finish();
}
