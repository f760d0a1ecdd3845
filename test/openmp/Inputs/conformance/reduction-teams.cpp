// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions over all teams of a league.

#include "check.h"

int main() {
  double Sum = 1;
  int Most = -1;
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    reduction(max : Most) map(tofrom : Sum, Most)
  for (int I = 0; I < 20001; ++I) {
    Sum += I;
    Most = I > Most ? I : Most;
  }
  expect(Sum == 200010001 && Most == 20000);
  return finish();
}
