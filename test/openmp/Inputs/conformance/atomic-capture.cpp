// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// atomic capture: every place is taken once.

#include "check.h"

int main() {
  int Next = 0, Places[300] = {}, Wrong = 0;
#pragma omp target map(tofrom : Next, Places)
#pragma omp parallel for
  for (int I = 0; I < 300; ++I) {
    int Mine;
#pragma omp atomic capture
    Mine = Next++;
    Places[Mine] += 1;
  }
  for (int I = 0; I < 300; ++I)
    Wrong += Places[I] != 1;
  expect(Wrong == 0 && Next == 300);
  return finish();
}
