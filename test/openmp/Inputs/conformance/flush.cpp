// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// flush between threads that wait for each other.

#include "check.h"

int main() {
  int Flag = 0, Data = 0, Seen = 0;
#pragma omp target map(tofrom : Flag, Data, Seen)
#pragma omp parallel num_threads(2)
  {
    int All = omp_get_num_threads();
    if (omp_get_thread_num() == 0) {
      Data = 42;
#pragma omp flush
#pragma omp atomic write
      Flag = 1;
    }
    if (omp_get_thread_num() == All - 1) {
      int Ready = 0;
      while (!Ready) {
#pragma omp atomic read
        Ready = Flag;
      }
#pragma omp flush
      Seen = Data;
    }
  }
  expect(Seen == 42);
  return finish();
}
