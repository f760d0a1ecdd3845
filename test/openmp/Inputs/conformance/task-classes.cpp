// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks with objects that are copied and destroyed.

#include "check.h"

#pragma omp begin declare target
struct Vector {
  Vector(int X, int Y) : X(X), Y(Y) {}
  Vector(const Vector &Other) : X(Other.X + 100), Y(Other.Y) {}
  ~Vector() { X = -1; }
  int X, Y;
};
#pragma omp end declare target

int main() {
  int A[4] = {}, Wrong = 0;
#pragma omp target parallel map(tofrom : A)
#pragma omp single
  for (int I = 0; I < 4; ++I) {
    Vector V(I, 2 * I);
#pragma omp task firstprivate(V, I) depend(out : A[I])
    A[I] = V.X + V.Y;
  }
  for (int I = 0; I < 4; ++I)
    Wrong += A[I] < 3 * I + 100 || (A[I] - 3 * I) % 100 != 0;
  expect(Wrong == 0);
  return finish();
}
