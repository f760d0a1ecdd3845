// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// parallel: every thread of the team runs the region once.

#include "check.h"

int main() {
  int Runs = 0, Size = 0, Outside = 1;
#pragma omp target map(tofrom : Runs, Size, Outside)
  {
    Outside = omp_in_parallel();
#pragma omp parallel
    {
#pragma omp atomic
      Runs++;
      if (omp_get_thread_num() == 0)
        Size = omp_get_num_threads();
    }
  }
  expect(Runs == Size && Size >= 1 && Outside == 0);
  return finish();
}
