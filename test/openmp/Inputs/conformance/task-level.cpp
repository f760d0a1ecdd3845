// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A region with tasks that asks how deep it is in parallel regions.

#include "check.h"

int main() {
  int Levels[3] = {-1, -1, -1};
#pragma omp target map(tofrom : Levels)
  {
    Levels[0] = omp_get_level();
#pragma omp parallel
#pragma omp single
    {
      Levels[1] = omp_get_level();
#pragma omp task shared(Levels)
      Levels[2] = 5;
    }
  }
  expect(Levels[0] == 0 && Levels[1] == 1 && Levels[2] == 5);
  return finish();
}
