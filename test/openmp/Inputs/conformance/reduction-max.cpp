// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduction(max) over double.

#include "check.h"

int main() {
  double S = -5;
#pragma omp target map(tofrom : S)
#pragma omp parallel for reduction(max : S)
  for (int I = 0; I < 300; ++I)
    S = (I * 37) % 301 > S ? (I * 37) % 301 : S;
  double W = -5;
  for (int I = 0; I < 300; ++I) {
    double &S = W;
    S = (I * 37) % 301 > S ? (I * 37) % 301 : S;
  }
  expect(S == W);
  return finish();
}
