// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A parallel region in a parallel region: levels and ancestors.

#include "check.h"

int main() {
  int Bad = 0;
#pragma omp target map(tofrom : Bad)
#pragma omp parallel
  {
    int Outer = omp_get_thread_num(), Inner = 0;
#pragma omp parallel reduction(+ : Inner)
    {
      Inner += 1;
      if (omp_get_level() != 2 || omp_get_ancestor_thread_num(1) != Outer ||
          omp_get_team_size(2) != omp_get_num_threads())
#pragma omp atomic write
        Bad = 1;
    }
    if (Inner < 1 || omp_get_thread_num() != Outer || omp_get_level() != 1)
#pragma omp atomic write
      Bad = 2;
  }
  expect(Bad == 0);
  return finish();
}
