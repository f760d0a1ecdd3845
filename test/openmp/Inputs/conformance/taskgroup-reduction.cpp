// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// task_reduction and in_reduction.

#include "check.h"

int main() {
  int Sum = 100;
#pragma omp target parallel map(tofrom : Sum)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : Sum)
    for (int I = 0; I < 10; ++I) {
#pragma omp task in_reduction(+ : Sum) firstprivate(I)
      Sum += I;
    }
  }
  expect(Sum == 145);
  return finish();
}
