// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// simd loops and calls of functions inside of tasks.

#include "check.h"

#pragma omp declare target
float twice(float X) { return 2 * X; }
#pragma omp end declare target

int main() {
  float A[128] = {};
  int Wrong = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  {
    for (int B = 0; B < 4; ++B) {
#pragma omp task depend(inout : A[B * 32 : 32]) firstprivate(B)
      {
#pragma omp simd
        for (int I = 0; I < 32; ++I)
          A[B * 32 + I] = twice(B * 32 + I);
      }
    }
  }
  for (int I = 0; I < 128; ++I)
    Wrong += A[I] != 2.0f * I;
  expect(Wrong == 0);
  return finish();
}
