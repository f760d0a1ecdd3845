// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduction(min) over int.

#include "check.h"

int main() {
  int S = 1000;
#pragma omp target map(tofrom : S)
#pragma omp parallel for reduction(min : S)
  for (int I = 0; I < 300; ++I)
    S = (I * 37 + 11) % 301 < S ? (I * 37 + 11) % 301 : S;
  int W = 1000;
  for (int I = 0; I < 300; ++I) {
    int &S = W;
    S = (I * 37 + 11) % 301 < S ? (I * 37 + 11) % 301 : S;
  }
  expect(S == W);
  return finish();
}
