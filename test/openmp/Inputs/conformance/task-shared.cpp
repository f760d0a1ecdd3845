// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// shared variables of the region in tasks.

#include "check.h"

int main() {
  int A = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
    int Local = 1;
#pragma omp task shared(Local) depend(inout : Local)
    Local += 4;
#pragma omp task shared(Local) depend(in : Local) depend(out : A)
    A = Local;
#pragma omp taskwait
  }
  expect(A == 5);
  return finish();
}
