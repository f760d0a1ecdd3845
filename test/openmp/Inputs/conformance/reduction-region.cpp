// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A reduction on parallel and one on for inside of it.

#include "check.h"

int main() {
  int Size = 0, Threads = 0, Sum = 0;
#pragma omp target map(tofrom : Size, Threads, Sum)
#pragma omp parallel reduction(+ : Threads)
  {
    Threads += 1;
#pragma omp for reduction(+ : Sum)
    for (int I = 0; I < 100; ++I)
      Sum += I;
#pragma omp single
    Size = omp_get_num_threads() + Sum;
  }
  expect(Size == Threads + 4950 && Sum == 4950);
  return finish();
}
