// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduction(+) over int.

#include "check.h"

int main() {
  int S = 3;
#pragma omp target map(tofrom : S)
#pragma omp parallel for reduction(+ : S)
  for (int I = 0; I < 300; ++I)
    S += I % 5;
  int W = 3;
  for (int I = 0; I < 300; ++I) {
    int &S = W;
    S += I % 5;
  }
  expect(S == W);
  return finish();
}
