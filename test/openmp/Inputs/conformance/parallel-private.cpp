// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// private, firstprivate, shared and default(none) on parallel.

#include "check.h"

int main() {
  int Bad = 0, Sum = 0;
#pragma omp target map(tofrom : Bad, Sum)
  {
    int A = 5, B = 7, C = 0;
#pragma omp parallel default(none) private(A) firstprivate(B) shared(C, Bad)
    {
      A = omp_get_thread_num();
      B += A;
#pragma omp atomic
      C += 1;
#pragma omp barrier
      if (B != 7 + A || C != omp_get_num_threads())
#pragma omp atomic write
        Bad = 1;
    }
    Sum = A + B;
  }
  expect(!Bad && Sum == 12);
  return finish();
}
