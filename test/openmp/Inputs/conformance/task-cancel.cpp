// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cancel and cancellation point where cancellation is off.

#include "check.h"

int main() {
  int A = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task depend(inout : A)
    {
#pragma omp cancellation point taskgroup
      A += 1;
    }
#pragma omp task depend(inout : A)
    {
      A += 10;
#pragma omp cancel taskgroup
    }
  }
  expect(A == 11);
  return finish();
}
