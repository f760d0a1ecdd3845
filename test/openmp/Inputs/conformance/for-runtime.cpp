// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// schedule(runtime) under each schedule that the program sets.

#include "check.h"

int main() {
  int Hits[500] = {}, Wrong = 0;
#pragma omp target map(tofrom : Hits)
  for (int Kind = 1; Kind <= 4; ++Kind) {
    omp_set_schedule((omp_sched_t)Kind, Kind == 4 ? 0 : 2 * Kind);
#pragma omp parallel for schedule(runtime)
    for (int I = 0; I < 500; ++I)
      Hits[I] += Kind;
  }
  for (int I = 0; I < 500; ++I)
    Wrong += Hits[I] != 10;
  expect(Wrong == 0);
  return finish();
}
