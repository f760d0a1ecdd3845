// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that call lambdas and functions by templates.

#include "check.h"

#pragma omp begin declare target
template <typename F> static void inTask(int *At, F Function) {
#pragma omp task firstprivate(At, Function) depend(inout : *At)
  *At = Function(*At);
}
#pragma omp end declare target

int main() {
  int A[3] = {1, 2, 3};
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  for (int I = 0; I < 3; ++I) {
    const int By = I + 2;
    inTask(&A[I], [By](int X) { return X * By; });
    inTask(&A[I], [](int X) { return X + 1; });
  }
  expect(A[0] == 3 && A[1] == 7 && A[2] == 13);
  return finish();
}
