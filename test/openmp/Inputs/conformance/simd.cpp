// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// simd with safelen, simdlen, linear, lastprivate and a reduction.

#include "check.h"

int main() {
  int A[64], Last = 0, Sum = 0, Place = 3;
#pragma omp target map(from : A) map(tofrom : Last, Sum, Place)
  {
#pragma omp simd safelen(8) simdlen(4) linear(Place : 2) lastprivate(Last)     \
    reduction(+ : Sum)
    for (int I = 0; I < 64; ++I) {
      A[I] = Place;
      Place += 2;
      Sum += I;
      Last = I;
    }
  }
  int Wrong = 0;
  for (int I = 0; I < 64; ++I)
    Wrong += A[I] != 3 + 2 * I;
  expect(Wrong == 0 && Last == 63 && Sum == 2016 && Place == 131);
  return finish();
}
