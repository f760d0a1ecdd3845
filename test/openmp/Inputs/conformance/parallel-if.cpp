// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// parallel if(0): one thread runs the region.

#include "check.h"

int main() {
  int Runs = 0, Level = 0;
#pragma omp target map(tofrom : Runs, Level)
  {
    int Few = Runs > 100;
#pragma omp parallel if (Few)
    {
#pragma omp atomic
      Runs += omp_get_num_threads();
      Level = omp_get_level();
    }
  }
  expect(Runs == 1 && Level == 1);
  return finish();
}
