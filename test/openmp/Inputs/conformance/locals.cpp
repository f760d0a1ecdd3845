// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables of a region that its teams share, of all sizes.

#include "check.h"

int main() {
  long Sum = 0;
#pragma omp target map(tofrom : Sum)
  for (int Round = 0; Round < 3; ++Round) {
    int Small = Round;
    double Middle[20];
    int Large[3000];
#pragma omp parallel for
    for (int I = 0; I < 3000; ++I) {
      Large[I] = I + Small;
      if (I < 20)
        Middle[I] = I;
    }
#pragma omp parallel for reduction(+ : Sum)
    for (int I = 0; I < 3000; ++I)
      Sum += Large[I] + (I < 20 ? (long)Middle[I] : 0);
  }
  expect(Sum == 3 * (4498500L + 190) + 3000 * 3);
  return finish();
}
