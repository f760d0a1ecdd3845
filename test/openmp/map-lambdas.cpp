// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lambdas in regions: what they capture by reference is the device's.

#include "map.h"

int main() {
  int X = 3, Y = 4, Sum = 0;
  int A[4] = {1, 2, 3, 4};
  int *P = A;
  auto Add = [&](int By) { return X + Y * By; };
  auto Copy = [X, Y](int By) { return X * 100 + Y + By; };
#pragma omp target map(to : X, Y) map(from : Sum)
  Sum = Add(2) + Copy(5);
  CHECK(Sum == 11 + 309);
  auto Write = [&, P](int I) {
    Y += A[I];
    P[I] = -1;
  };
#pragma omp target map(tofrom : Y, A)
  Write(2);
  CHECK(Y == 7 && A[2] == -1);
  return report();
}
