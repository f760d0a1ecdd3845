// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks on blocks of a matrix by pointers to rows.

#include "check.h"

#include <stdlib.h>

int main() {
  enum { N = 16, Tile = 4 };
  double *M = (double *)malloc(sizeof(double) * N * N);
  int Wrong = 0;
  for (int I = 0; I < N * N; ++I)
    M[I] = I;
#pragma omp target parallel map(tofrom : M[0 : N * N])
#pragma omp single
  for (int Round = 0; Round < 2; ++Round)
    for (int I = 0; I < N; I += Tile)
      for (int J = 0; J < N; J += Tile) {
        double *Block = &M[I * N + J];
#pragma omp task firstprivate(Block) depend(inout : Block[0 : Tile])
        for (int R = 0; R < Tile; ++R)
          for (int C = 0; C < Tile; ++C)
            Block[R * N + C] = Block[R * N + C] * 2 + 1;
      }
  for (int I = 0; I < N * N; ++I)
    Wrong += M[I] != 4.0 * I + 3;
  expect(Wrong == 0);
  free(M);
  return finish();
}
