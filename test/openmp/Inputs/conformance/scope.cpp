// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// scope with a reduction, and masked with a filter.

#include "check.h"

int main() {
  int Sum = 0, Who = -1;
#pragma omp target parallel num_threads(4) map(tofrom : Sum, Who)
  {
#pragma omp scope reduction(+ : Sum)
    Sum += 1;
#pragma omp masked filter(2)
    Who = omp_get_thread_num();
  }
  expect(Sum == 4 && Who == 2);
  return finish();
}
