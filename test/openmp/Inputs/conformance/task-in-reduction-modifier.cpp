// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// reduction with the task modifier, and in_reduction in tasks.

#include "check.h"

int main() {
  int Sum = 10;
#pragma omp target map(tofrom : Sum)
#pragma omp parallel reduction(task, + : Sum)
#pragma omp single
  for (int I = 0; I < 10; ++I) {
#pragma omp task in_reduction(+ : Sum) firstprivate(I)
    Sum += I;
  }
  expect(Sum == 55);
  return finish();
}
