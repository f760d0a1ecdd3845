// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each of several teams makes tasks.

#include "check.h"

int main() {
  int A[4] = {}, Teams = 0;
#pragma omp target teams num_teams(4) map(tofrom : A, Teams)
  {
    const int Mine = omp_get_team_num();
#pragma omp parallel
#pragma omp single
    {
      if (Mine == 0)
        Teams = omp_get_num_teams();
#pragma omp task firstprivate(Mine) shared(A)
      A[Mine] += Mine + 1;
#pragma omp taskwait
      A[Mine] *= 2;
    }
  }
  expect(Teams == 4 && A[0] == 2 && A[1] == 4 && A[2] == 6 && A[3] == 8);
  return finish();
}
