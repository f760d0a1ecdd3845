// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// single: one thread runs it, and others wait.

#include "check.h"

int main() {
  int Runs = 0, Bad = 0;
#pragma omp target map(tofrom : Runs, Bad)
#pragma omp parallel
  for (int Round = 1; Round < 5; ++Round) {
#pragma omp single
    Runs += 1;
    if (Runs != Round)
#pragma omp atomic write
      Bad = 1;
#pragma omp barrier
  }
  expect(Runs == 4 && Bad == 0);
  return finish();
}
