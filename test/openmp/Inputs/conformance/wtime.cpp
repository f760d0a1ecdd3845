// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// omp_get_wtime goes on.

#include "check.h"

int main() {
  double First = 0, Second = 0, Tick = 0;
#pragma omp target map(from : First, Second, Tick)
  {
    First = omp_get_wtime();
    Second = omp_get_wtime();
    Tick = omp_get_wtick();
  }
  expect(First > 0 && Second >= First && Tick > 0 && Tick < 1);
  return finish();
}
