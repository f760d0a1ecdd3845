// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// critical, atomic and barrier inside of a task's parallel.

#include "check.h"

int main() {
  int A[3] = {}, N[3] = {};
#pragma omp target parallel map(tofrom : A, N)
#pragma omp single
  {
    for (int B = 0; B < 3; ++B) {
#pragma omp task depend(inout : A[B], N[B]) firstprivate(B)
      {
        int Count = 0;
#pragma omp parallel
        {
#pragma omp critical
          Count += 1;
#pragma omp barrier
#pragma omp atomic
          A[B] += Count == omp_get_num_threads();
#pragma omp single
          N[B] = omp_get_num_threads();
        }
      }
    }
  }
  for (int B = 0; B < 3; ++B)
    expect(N[B] > 0 && A[B] == N[B]);
  return finish();
}
