// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduction(&&) over bool.

#include "check.h"

int main() {
  bool S = true;
#pragma omp target map(tofrom : S)
#pragma omp parallel for reduction(&& : S)
  for (int I = 0; I < 300; ++I)
    S = S && I != 250;
  bool W = true;
  for (int I = 0; I < 300; ++I) {
    bool &S = W;
    S = S && I != 250;
  }
  expect(S == W && !S);
  return finish();
}
