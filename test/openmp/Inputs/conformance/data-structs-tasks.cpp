// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks on members of mapped structs and on what their pointers lead to.

#include "check.h"

struct Grid {
  int Rows;
  double *Values;
};

int main() {
  double Values[12] = {};
  Grid G = {3, Values};
  int Wrong = 0;
#pragma omp target parallel map(tofrom : G, G.Values[0 : 12])
#pragma omp single
  for (int Step = 0; Step < 2; ++Step)
    for (int R = 0; R < G.Rows; ++R) {
#pragma omp task firstprivate(R) depend(inout : G.Values[4 * R : 4])
      for (int C = 0; C < 4; ++C)
        G.Values[4 * R + C] += R + 0.5 * C;
    }
  for (int I = 0; I < 12; ++I)
    Wrong += Values[I] != 2 * (I / 4 + 0.5 * (I % 4));
  expect(Wrong == 0 && G.Values == Values);
  return finish();
}
