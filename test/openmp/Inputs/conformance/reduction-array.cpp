// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A reduction over an array section.

#include "check.h"

int main() {
  int H[8] = {1, 1, 1, 1, 1, 1, 1, 1}, Wrong = 0;
#pragma omp target map(tofrom : H)
#pragma omp parallel for reduction(+ : H[0 : 8])
  for (int I = 0; I < 800; ++I)
    H[I % 8] += 1;
  for (int I = 0; I < 8; ++I)
    Wrong += H[I] != 101;
  expect(Wrong == 0);
  return finish();
}
