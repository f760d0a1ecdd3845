// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the runtime says outside and inside of parallel.

#include "check.h"

int main() {
  int Bad = 0;
#pragma omp target map(tofrom : Bad)
  {
    if (omp_get_thread_num() != 0 || omp_get_num_threads() != 1)
      Bad = 1;
    if (omp_get_level() != 0 || omp_in_parallel() || omp_get_active_level())
      Bad = 2;
    if (omp_get_max_threads() < 1 || omp_get_thread_limit() < 1)
      Bad = 3;
    if (omp_get_team_num() != 0 || omp_get_num_teams() != 1)
      Bad = 4;
    omp_set_num_threads(2);
    if (omp_get_max_threads() > 2)
      Bad = 5;
#pragma omp parallel
    if (omp_get_num_threads() > 2 || omp_get_level() != 1 ||
        omp_get_ancestor_thread_num(0) != 0 || omp_get_team_size(0) != 1 ||
        omp_get_ancestor_thread_num(1) != omp_get_thread_num())
#pragma omp atomic write
      Bad = 6;
  }
  expect(Bad == 0);
  return finish();
}
