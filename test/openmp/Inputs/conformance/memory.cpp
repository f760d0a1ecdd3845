// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// malloc and free, new and delete, in a region and in its threads.

#include "check.h"
#include <stdlib.h>

int main() {
  long Sum = 0;
#pragma omp target map(tofrom : Sum)
  {
    int *A = (int *)malloc(100 * sizeof(int));
#pragma omp parallel for
    for (int I = 0; I < 100; ++I) {
      int *Own = (int *)malloc(sizeof(int));
      *Own = I;
      A[I] = *Own;
      free(Own);
    }
    for (int I = 0; I < 100; ++I)
      Sum += A[I];
    free(A);
  }
  expect(Sum == 4950);
  return finish();
}
