// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Inclusive and exclusive scans.

#include "check.h"

int main() {
  int A[40], In[40], Out[40], Sum = 0, Other = 0, Wrong = 0;
  for (int I = 0; I < 40; ++I)
    A[I] = I * I;
#pragma omp target map(to : A) map(from : In, Out) map(tofrom : Sum, Other)
  {
#pragma omp parallel for simd reduction(inscan, + : Sum)
    for (int I = 0; I < 40; ++I) {
      Sum += A[I];
#pragma omp scan inclusive(Sum)
      In[I] = Sum;
    }
#pragma omp parallel for simd reduction(inscan, + : Other)
    for (int I = 0; I < 40; ++I) {
      Out[I] = Other;
#pragma omp scan exclusive(Other)
      Other += A[I];
    }
  }
  for (int I = 0, W = 0; I < 40; ++I) {
    Wrong += Out[I] != W;
    W += A[I];
    Wrong += In[I] != W;
  }
  expect(Wrong == 0);
  return finish();
}
