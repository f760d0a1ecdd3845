// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// target update: both ways, conditions, parts, and sections with gaps.

#include "map.h"

int main() {
  const bool Far = isFar();
  int A[20];
  for (int I = 0; I < 20; ++I)
    A[I] = I;
#pragma omp target data map(alloc : A)
  {
#pragma omp target update to(A[5 : 10])
#pragma omp target
    for (int I = 5; I < 15; ++I)
      A[I] += 100;
    CHECK(A[5] == (Far ? 5 : 105));
#pragma omp target update from(A[6 : 2])
    CHECK(A[6] == 106 && A[7] == 107 && A[8] == (Far ? 8 : 108));
#pragma omp target update from(A[5 : 10]) if (A[0] == 1)
    CHECK(A[8] == (Far ? 8 : 108));
#pragma omp target update from(A[9 : 3 : 2])
    CHECK(A[9] == 109 && A[11] == 111 && A[13] == 113);
    CHECK(A[10] == (Far ? 10 : 110) && A[14] == (Far ? 14 : 114));
  }
  int G[6][8] = {};
#pragma omp target data map(alloc : G)
  {
#pragma omp target
    for (int I = 0; I < 48; ++I)
      G[I / 8][I % 8] = I + 1;
#pragma omp target update from(G[1 : 2][3 : 4])
    for (int I = 0; I < 48; ++I) {
      const bool In = I / 8 >= 1 && I / 8 < 3 && I % 8 >= 3 && I % 8 < 7;
      CHECK(G[I / 8][I % 8] == (In || !Far ? I + 1 : 0));
    }
  }
  int Absent = 3;
#pragma omp target update to(Absent)
#pragma omp target update from(Absent)
  CHECK(Absent == 3);
  return report();
}
