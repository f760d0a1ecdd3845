// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// single nowait.

#include "check.h"

int main() {
  int Runs = 0;
#pragma omp target map(tofrom : Runs)
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp atomic
      Runs += 1;
    }
#pragma omp single nowait
    {
#pragma omp atomic
      Runs += 10;
    }
  }
  expect(Runs == 11);
  return finish();
}
