// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Regions with tasks of which the same, and others, come again.

#include <cstdio>

constexpr int Tiles = 6, Size = 32, Count = Tiles * Size;

static void step(const int *From, int *To, const int *Limit) {
#pragma omp target map(to : From[0 : Count], Limit[0 : 1])                     \
    map(tofrom : To[0 : Count])
  {
    const int Last = *Limit;
    for (int Tile = 0; Tile < Last; ++Tile) {
#pragma omp task depend(out : To[Tile * Size : Size])
      for (int I = Tile * Size; I < (Tile + 1) * Size; ++I)
        To[I] += From[I];
#pragma omp task depend(inout : To[Tile * Size : Size])
      for (int I = Tile * Size; I < (Tile + 1) * Size; ++I)
        To[I] += 1;
    }
  }
}

/// The pointers are variables that tasks share, and so is one that they change.
static void add(const int *From, int *To) {
#pragma omp target parallel num_threads(32) map(to : From[0 : Count])          \
    map(tofrom : To[0 : Count])
#pragma omp single
  {
    int Turns = 0;
    for (int Tile = 0; Tile < Tiles; ++Tile)
#pragma omp task shared(Turns) depend(inout : Turns)                           \
    depend(inout : To[Tile * Size : Size])
    {
      ++Turns;
      for (int I = Tile * Size; I < (Tile + 1) * Size; ++I)
        To[I] += From[I] + Turns;
    }
  }
}

int main() {
  static int A[Count], B[Count];
  int Limit = Tiles;
  for (int I = 0; I < Count; ++I)
    A[I] = I;
#pragma omp target data map(tofrom : A, B) map(to : Limit)
  {
    for (int Turn = 0; Turn < 3; ++Turn) {
      step(A, B, &Limit);
      step(B, A, &Limit);
    }
    Limit = 2;
#pragma omp target update to(Limit)
    step(A, B, &Limit);
    step(A, B, &Limit);
    for (int Turn = 0; Turn < 3; ++Turn)
      add(A, B);
  }
  long Wrong = 0;
  for (int I = 0; I < Count; ++I) {
    long X = I, Y = 0;
    for (int Turn = 0; Turn < 3; ++Turn) {
      Y += X + 1;
      X += Y + 1;
    }
    if (I / Size < 2)
      Y += 2 * (X + 1);
    Y += 3 * (X + I / Size + 1);
    Wrong += A[I] != X || B[I] != Y;
  }
  std::printf("%ld wrong\n", Wrong);
}
