// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The region waits, reads what a task has computed, and goes on by that.

#include "check.h"

int main() {
  int A = 1, Steps = 0;
#pragma omp target parallel map(tofrom : A, Steps)
#pragma omp single
  while (A < 100) {
#pragma omp task depend(inout : A)
    A *= 3;
#pragma omp taskwait
    Steps += 1;
  }
  expect(A == 243 && Steps == 5);
  return finish();
}
