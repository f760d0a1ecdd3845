// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A function that creates tasks and waits for them, by calling itself.

#include "check.h"

#pragma omp begin declare target
static int fibonacci(int N) {
  if (N < 2)
    return N;
  int A = 0, B = 0;
#pragma omp task shared(A) firstprivate(N)
  A = fibonacci(N - 1);
#pragma omp task shared(B) firstprivate(N)
  B = fibonacci(N - 2);
#pragma omp taskwait
  return A + B;
}
#pragma omp end declare target

int main() {
  int Result = 0;
#pragma omp target parallel map(from : Result)
#pragma omp single
  Result = fibonacci(8);
  expect(Result == 21);
  return finish();
}
