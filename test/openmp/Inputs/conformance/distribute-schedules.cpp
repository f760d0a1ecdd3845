// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// distribute parallel for under dist_schedule and schedule; teams do not wait
// for each other between the loops.

#include "check.h"

int main() {
  int A[4][2000] = {}, Wrong = 0;
#pragma omp target map(tofrom : A)
#pragma omp teams num_teams(7)
  {
#pragma omp distribute parallel for
    for (int I = 0; I < 2000; ++I)
      A[0][I] += 1;
#pragma omp distribute parallel for dist_schedule(static, 100)                 \
    schedule(static, 3)
    for (int I = 0; I < 2000; ++I)
      A[1][I] += 10;
#pragma omp distribute parallel for schedule(dynamic, 5)
    for (int I = 0; I < 2000; ++I)
      A[2][I] += 100;
#pragma omp distribute parallel for schedule(guided)
    for (int I = 0; I < 2000; ++I)
      A[3][I] += 1000;
  }
  for (int I = 0; I < 2000; ++I)
    Wrong += A[0][I] + A[1][I] + A[2][I] + A[3][I] != 1111;
  expect(Wrong == 0);
  return finish();
}
