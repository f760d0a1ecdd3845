// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// atomic read and write, with memory orders.

#include "check.h"

int main() {
  int Flag = 0, Seen = 0;
#pragma omp target map(tofrom : Flag, Seen)
#pragma omp parallel for
  for (int I = 0; I < 100; ++I) {
    int Value;
#pragma omp atomic write release
    Flag = 7;
#pragma omp atomic read acquire
    Value = Flag;
#pragma omp atomic seq_cst
    Seen += Value;
  }
  expect(Seen == 700);
  return finish();
}
