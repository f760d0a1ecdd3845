// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// schedule(static, 7): every iteration once.

#include "check.h"

int main() {
  int Hits[997] = {}, Wrong = 0;
#pragma omp target map(tofrom : Hits)
  {
#pragma omp parallel for schedule(static, 7)
    for (int I = 0; I < 997; ++I)
      Hits[I] += I + 1;
  }
  for (int I = 0; I < 997; ++I)
    Wrong += Hits[I] != I + 1;
  expect(Wrong == 0);
  return finish();
}
