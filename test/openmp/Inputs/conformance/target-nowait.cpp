// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// target nowait with dependences among regions and tasks of the host.

#include "check.h"

int main() {
  int A = 1, B = 2, Seen = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target nowait map(tofrom : A) depend(out : A)
    A += 10;
#pragma omp target nowait map(tofrom : B) depend(out : B)
    B += 20;
#pragma omp target nowait map(tofrom : A) map(to : B) depend(inout : A)        \
    depend(in : B)
    A += B;
#pragma omp task depend(in : A) shared(A, Seen)
    Seen = A;
#pragma omp taskwait
  }
  expect(Seen == 33 && B == 22);
  return finish();
}
