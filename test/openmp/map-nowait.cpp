// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constructs that do not wait, ordered by dependences, and threads that map at
// the same time.

#include "map.h"

static void dependences() {
  int A[16], B[16];
  for (int I = 0; I < 16; ++I) {
    A[I] = I;
    B[I] = 0;
  }
#pragma omp parallel
#pragma omp single
  {
#pragma omp target enter data map(to : A, B) nowait depend(out : A, B)
#pragma omp target nowait depend(inout : A)
    for (int I = 0; I < 16; ++I)
      A[I] += 1;
#pragma omp target nowait depend(in : A) depend(inout : B)
    for (int I = 0; I < 16; ++I)
      B[I] = 2 * A[I];
#pragma omp target update from(B) nowait depend(inout : B)
#pragma omp target exit data map(from : A) map(release : B)                    \
    nowait depend(inout : A, B)
#pragma omp taskwait
  }
  for (int I = 0; I < 16; ++I)
    CHECK(A[I] == I + 1 && B[I] == 2 * (I + 1));
}

int main() {
  dependences();
  constexpr int Threads = 8;
  int Shared[Threads] = {};
  int Wrong = 0;
#pragma omp target data map(tofrom : Shared)
#pragma omp parallel for num_threads(Threads) reduction(+ : Wrong)
  for (int T = 0; T < Threads; ++T)
    for (int Round = 0; Round < 5; ++Round) {
      int Own[32];
      for (int I = 0; I < 32; ++I)
        Own[I] = T + I;
#pragma omp target map(tofrom : Own) map(tofrom : Shared[T : 1])
      {
        for (int I = 0; I < 32; ++I)
          Own[I] *= 2;
        Shared[T] += 1;
      }
      for (int I = 0; I < 32; ++I)
        Wrong += Own[I] != 2 * (T + I);
    }
  CHECK(Wrong == 0);
  for (int T = 0; T < Threads; ++T)
    CHECK(Shared[T] == 5);
  return report();
}
