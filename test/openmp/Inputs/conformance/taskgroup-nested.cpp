// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Groups in groups, with tasks behind them that see what theirs did.

#include "check.h"

int main() {
  int A = 0, B = 0, Seen = 0;
#pragma omp target parallel map(tofrom : A, B, Seen)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp taskgroup
      {
#pragma omp task shared(A)
        A = 1;
      }
#pragma omp task shared(A, B)
      B = A + 1;
    }
#pragma omp task shared(A, B, Seen)
    Seen = 10 * A + B;
  }
  expect(Seen == 12);
  return finish();
}
