// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduction(+) over char.

#include "check.h"

int main() {
  char S = 3;
#pragma omp target map(tofrom : S)
#pragma omp parallel for reduction(+ : S)
  for (int I = 0; I < 300; ++I)
    S += I % 5;
  char W = 3;
  for (int I = 0; I < 300; ++I) {
    char &S = W;
    S += I % 5;
  }
  expect(S == W);
  return finish();
}
