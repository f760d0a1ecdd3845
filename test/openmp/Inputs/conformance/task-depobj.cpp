// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// depobj: made, updated, used and destroyed.

#include "check.h"

int main() {
  int A = 0, B = 0;
#pragma omp target parallel map(tofrom : A, B)
#pragma omp single
  {
    omp_depend_t Object;
#pragma omp depobj(Object) depend(inout : A)
#pragma omp task depend(depobj : Object)
    A = 4;
#pragma omp task depend(depobj : Object)
    A *= 5;
#pragma omp depobj(Object) update(in)
#pragma omp task depend(depobj : Object) depend(out : B)
    B = A + 1;
#pragma omp taskwait
#pragma omp depobj(Object) destroy
  }
  expect(A == 20 && B == 21);
  return finish();
}
