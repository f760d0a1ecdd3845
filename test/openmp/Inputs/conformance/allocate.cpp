// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// allocate clauses, uses_allocators and omp_alloc in regions.

#include "check.h"

int main() {
  int A[8] = {}, Got = 0, Wrong = 0;
#pragma omp target uses_allocators(omp_default_mem_alloc) map(tofrom : A, Got)
  {
    int Own = 4;
#pragma omp parallel for private(Own) allocate(omp_default_mem_alloc : Own)
    for (int I = 0; I < 8; ++I) {
      Own = I;
      A[I] = Own;
    }
    int *More = (int *)omp_alloc(sizeof(int) * 4, omp_default_mem_alloc);
    More[3] = 12;
    Got = More[3];
    omp_free(More, omp_default_mem_alloc);
  }
  for (int I = 0; I < 8; ++I)
    Wrong += A[I] != I;
  expect(Wrong == 0 && Got == 12);
  return finish();
}
