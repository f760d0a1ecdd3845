// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// parallel for with reductions in C.

#include "check.h"

int main(void) {
  double Sum = 0;
  int Least = 99, I;
#pragma omp target map(tofrom : Sum, Least)
#pragma omp parallel for reduction(+ : Sum) reduction(min : Least)
  for (I = 0; I < 100; ++I) {
    Sum += I;
    Least = 50 - I < Least ? 50 - I : Least;
  }
  expect(Sum == 4950 && Least == -49);
  return finish();
}
