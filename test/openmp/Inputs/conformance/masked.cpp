// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// masked, with and without a filter.

#include "check.h"

int main() {
  int Zero = 0, Last = 0, Size = 0;
#pragma omp target map(tofrom : Zero, Last, Size)
#pragma omp parallel
  {
    int All = omp_get_num_threads();
#pragma omp masked
    Zero += 1 + omp_get_thread_num();
#pragma omp masked filter(All - 1)
    {
      Last += omp_get_thread_num();
      Size = All;
    }
  }
  expect(Zero == 1 && Last == Size - 1);
  return finish();
}
