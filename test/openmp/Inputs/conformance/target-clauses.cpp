// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// target with if, device, thread_limit, private, firstprivate and defaultmap.

#include "check.h"

int main() {
  int Here = 0, There = 1, X = 5, Y = 6, A[4] = {1, 2, 3, 4};
#pragma omp target if (0) map(from : Here)
  Here = omp_is_initial_device();
#pragma omp target device(omp_get_default_device()) map(from : There)          \
    thread_limit(32)
  There = omp_is_initial_device();
  expect(Here && !There);
#pragma omp target private(X) firstprivate(Y) map(tofrom : A)
  {
    X = 100;
    Y += X;
    A[0] += Y;
  }
  expect(X == 5 && Y == 6 && A[0] == 107);
#pragma omp target defaultmap(tofrom : scalar)                                 \
    defaultmap(firstprivate : aggregate)
  {
    X += A[1];
    A[2] = 77;
  }
  expect(X == 7 && A[2] == 3);
  return finish();
}
