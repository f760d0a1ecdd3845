// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constant arrays in regions, which nobody maps.

#include "check.h"

static const int Table[3] = {1, 2, 3};
constexpr double Halves[2] = {0.5, 1.5};

int main() {
  static const int Inner[2] = {4, 5};
  int A[5] = {}, At = 1;
#pragma omp target map(tofrom : A)
  {
    A[0] = Inner[At] + Table[At];
#pragma omp parallel for
    for (int I = 1; I < 3; ++I)
      A[I] = Inner[At] * Table[I];
    auto Look = [&](int I) { return Inner[I]; };
    A[3] = Look(At);
    A[4] = 2 * Halves[At];
  }
  expect(A[0] == 7 && A[1] == 10 && A[2] == 15 && A[3] == 5 && A[4] == 3);
  return finish();
}
