// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Named critical sections, with a hint.

#include "check.h"

int main() {
  int A = 0, B = 0;
#pragma omp target map(tofrom : A, B)
#pragma omp parallel for
  for (int I = 0; I < 200; ++I) {
#pragma omp critical(first) hint(omp_sync_hint_contended)
    A += I;
#pragma omp critical(second)
    B += 2 * I;
  }
  expect(A == 19900 && B == 39800);
  return finish();
}
