// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// atomic compare: minimum, maximum and an exchange.

#include "check.h"

int main() {
  int Least = 1000, Most = -1, Winners = 0, Lock = 0;
#pragma omp target map(tofrom : Least, Most, Winners, Lock)
#pragma omp parallel for
  for (int I = 0; I < 256; ++I) {
    int Value = (I * 37 + 5) % 257, Old;
#pragma omp atomic compare
    if (Value < Least) {
      Least = Value;
    }
#pragma omp atomic compare
    if (Value > Most) {
      Most = Value;
    }
#pragma omp atomic compare capture
    {
      Old = Lock;
      if (Lock == 0) {
        Lock = 1;
      }
    }
    if (Old == 0)
#pragma omp atomic
      Winners++;
  }
  int WantLeast = 1000, WantMost = -1;
  for (int I = 0; I < 256; ++I) {
    int Value = (I * 37 + 5) % 257;
    WantLeast = Value < WantLeast ? Value : WantLeast;
    WantMost = Value > WantMost ? Value : WantMost;
  }
  expect(Least == WantLeast && Most == WantMost && Winners == 1);
  return finish();
}
