// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that tasks create, with dependences among them, in order of these.

#include "check.h"

int main() {
  int A[16] = {}, Sum[4] = {}, Wrong = 0;
#pragma omp target parallel map(tofrom : A, Sum)
#pragma omp single
  for (int T = 0; T < 4; ++T) {
#pragma omp task firstprivate(T) depend(out : Sum[T])
    {
      for (int I = 0; I < 4; ++I) {
#pragma omp task firstprivate(I) depend(out : A[4 * T + I])
        A[4 * T + I] = 10 * T + I;
#pragma omp task firstprivate(I) depend(in : A[4 * T + I]) shared(Sum)
        Sum[T] = Sum[T] * 2 + A[4 * T + I];
      }
#pragma omp taskwait
      Sum[T] += 1000;
    }
#pragma omp task firstprivate(T) depend(inout : Sum[T])
    Sum[T] += 1;
  }
  for (int T = 0; T < 4; ++T) {
    int Mine = 0;
    for (int I = 0; I < 4; ++I)
      Mine = Mine * 2 + 10 * T + I;
    Wrong += Sum[T] != Mine + 1001;
  }
  expect(Wrong == 0);
  return finish();
}
