// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several reductions of different types on one loop.

#include "check.h"

int main() {
  int Count = 0, Least = 999;
  double Sum = 0;
  float Most = -1;
#pragma omp target map(tofrom : Count, Least, Sum, Most)
#pragma omp parallel for reduction(+ : Count, Sum) reduction(min : Least)      \
    reduction(max : Most)
  for (int I = 0; I < 401; ++I) {
    Count += 1;
    Sum += I * 0.5;
    Least = I - 7 < Least ? I - 7 : Least;
    Most = I * 2.0f > Most ? I * 2.0f : Most;
  }
  expect(Count == 401 && Sum == 40100 && Least == -7 && Most == 800);
  return finish();
}
