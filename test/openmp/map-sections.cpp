// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arrays, sections of arrays and of pointers, with and without lower bounds.

#include "map.h"

static void rows(int N) {
  double A[N][4];
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < 4; ++J)
      A[I][J] = I * 10 + J;
#pragma omp target map(tofrom : A[1 : N - 2])
  for (int I = 1; I < N - 1; ++I)
    A[I][2] += 100;
  for (int I = 0; I < N; ++I)
    CHECK(A[I][2] == I * 10 + 2 + (I > 0 && I < N - 1 ? 100 : 0));
}

int main() {
  const bool Far = isFar();
  int A[10];
  for (int I = 0; I < 10; ++I)
    A[I] = I;
#pragma omp target
  for (int I = 0; I < 10; ++I)
    A[I] *= 2;
  CHECK(A[9] == 18);
#pragma omp target map(tofrom : A[2 : 3])
  for (int I = 2; I < 5; ++I)
    A[I] = -I;
  CHECK(A[1] == 2 && A[2] == -2 && A[4] == -4 && A[5] == 10);

  int *P = new int[100]();
#pragma omp target map(tofrom : P[50 : 10])
  for (int I = 50; I < 60; ++I)
    P[I] = I;
  CHECK(P[49] == 0 && P[50] == 50 && P[59] == 59 && P[60] == 0);
  int *Q = P + 50;
#pragma omp target map(tofrom : Q[-2 : 4])
  for (int I = -2; I < 2; ++I)
    Q[I] = 7;
  CHECK(P[47] == 0 && P[48] == 7 && P[51] == 7 && P[52] == 52);

  // A pointer without a section finds what a surrounding construct has mapped.
#pragma omp target data map(tofrom : P[0 : 100])
  {
    P[3] = 1;
#pragma omp target
    P[3] += 5;
#pragma omp target map(P[0 : 0])
    P[4] = 6;
#pragma omp target map(tofrom : P[10 : 5])
    P[12] = 8;
    CHECK(!Far || (P[3] == 1 && P[12] == 0));
  }
  CHECK(P[3] == (Far ? 5 : 6) && P[4] == 6 && P[12] == 8);

  // Where nothing is mapped the pointer keeps its value.
  int *Nothing = nullptr;
  int IsNull = 0;
#pragma omp target map(from : IsNull)
  IsNull = Nothing == nullptr;
  CHECK(IsNull);

  int Grid[6][5] = {};
#pragma omp target map(tofrom : Grid[2 : 3][0 : 5])
  Grid[3][4] = 34;
  CHECK(Grid[3][4] == 34 && Grid[2][4] == 0);
  rows(6);
  delete[] P;
  return report();
}
