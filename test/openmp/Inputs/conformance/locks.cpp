// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// omp_set_lock, unset and test.

#include "check.h"

int main() {
  int Count = 0, Free = 0, Taken = 1;
#pragma omp target map(tofrom : Count, Free, Taken)
  {
    omp_lock_t Lock;
    omp_init_lock(&Lock);
#pragma omp parallel for
    for (int I = 0; I < 100; ++I) {
      omp_set_lock(&Lock);
      Count = Count + 1;
      omp_unset_lock(&Lock);
    }
    Free = omp_test_lock(&Lock);
    Taken = omp_test_lock(&Lock);
    omp_unset_lock(&Lock);
    omp_destroy_lock(&Lock);
  }
  expect(Count == 100 && Free && !Taken);
  return finish();
}
