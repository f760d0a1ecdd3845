// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduction(||) over int.

#include "check.h"

int main() {
  int S = 0;
#pragma omp target map(tofrom : S)
#pragma omp parallel for reduction(|| : S)
  for (int I = 0; I < 300; ++I)
    S = S || I == 250;
  int W = 0;
  for (int I = 0; I < 300; ++I) {
    int &S = W;
    S = S || I == 250;
  }
  expect(S == W && S);
  return finish();
}
