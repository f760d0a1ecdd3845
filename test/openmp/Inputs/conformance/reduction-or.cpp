// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduction(|) over long.

#include "check.h"

int main() {
  long S = 0;
#pragma omp target map(tofrom : S)
#pragma omp parallel for reduction(| : S)
  for (int I = 0; I < 300; ++I)
    S |= 1L << (I % 60);
  long W = 0;
  for (int I = 0; I < 300; ++I) {
    long &S = W;
    S |= 1L << (I % 60);
  }
  expect(S == W);
  return finish();
}
