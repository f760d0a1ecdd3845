// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// master: thread 0 runs it.

#include "check.h"

int main() {
  int Runs = 0, Who = -1;
#pragma omp target map(tofrom : Runs, Who)
#pragma omp parallel
  {
#pragma omp master
    {
      Runs += 1;
      Who = omp_get_thread_num();
    }
  }
  expect(Runs == 1 && Who == 0);
  return finish();
}
