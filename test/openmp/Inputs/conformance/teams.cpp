// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// teams: every team's first thread runs the region.

#include "check.h"

int main() {
  int Runs = 0, Size = 0, Bad = 0;
#pragma omp target teams num_teams(5) map(tofrom : Runs, Size, Bad)
  {
#pragma omp atomic
    Runs += 1;
    if (omp_get_team_num() == 0)
      Size = omp_get_num_teams();
    if (omp_get_num_threads() != 1 || omp_get_team_num() >= omp_get_num_teams())
#pragma omp atomic write
      Bad = 1;
  }
  expect(Runs == Size && Size >= 1 && !Bad);
  return finish();
}
