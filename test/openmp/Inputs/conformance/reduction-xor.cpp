// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduction(^) over int.

#include "check.h"

int main() {
  int S = 9;
#pragma omp target map(tofrom : S)
#pragma omp parallel for reduction(^ : S)
  for (int I = 0; I < 300; ++I)
    S ^= I * 7;
  int W = 9;
  for (int I = 0; I < 300; ++I) {
    int &S = W;
    S ^= I * 7;
  }
  expect(S == W);
  return finish();
}
