// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// parallel num_threads: teams of several sizes, one after the other.

#include "check.h"

int main() {
  int Bad = 0, Runs[9] = {};
#pragma omp target map(tofrom : Bad, Runs)
  for (int Size = 1; Size < 9; ++Size) {
#pragma omp parallel num_threads(Size)
    {
#pragma omp atomic
      Runs[Size]++;
#pragma omp barrier
      if (Runs[Size] != omp_get_num_threads() || omp_get_num_threads() > Size)
#pragma omp atomic write
        Bad = 1;
    }
  }
  expect(!Bad && Runs[1] == 1);
  return finish();
}
