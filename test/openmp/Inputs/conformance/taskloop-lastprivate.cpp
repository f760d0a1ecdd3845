// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// taskloop with lastprivate variables.

#include "check.h"

int main() {
  int Last = 0, Both = 7;
#pragma omp target parallel map(tofrom : Last, Both)
#pragma omp single
#pragma omp taskloop grainsize(4) lastprivate(Last) firstprivate(Both)         \
    lastprivate(Both)
  for (int I = 0; I < 30; ++I) {
    Last = 2 * I;
    Both += I == 29;
  }
  expect(Last == 58 && Both == 8);
  return finish();
}
