// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// declare target: functions, with parallel in one of them, and variables.

#include "check.h"

#pragma omp declare target
int Shift = 1;
int shifted(int X) { return X + Shift; }
int sumTo(int N) {
  int Sum = 0;
#pragma omp parallel for reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += I;
  return Sum;
}
#pragma omp end declare target

int main() {
  int Sum = 0, Got = 0;
#pragma omp target map(from : Sum, Got)
  {
    Shift = 3;
    Sum = sumTo(100);
    Got = shifted(4);
  }
  expect(Sum == 4950 && Got == 7);
  return finish();
}
