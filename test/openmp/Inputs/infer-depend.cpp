// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For infer-depend.test: what tasks without clauses do is what they do one
// after the other.

#include <cstdio>
#include <cstring>
#include <numeric>
#include <omp.h>
#include <vector>

constexpr int N = 64, T = 8;

#pragma omp declare target
int Global = 1;
static void mix(int *To, const int *From, int Count, int By) {
#pragma omp parallel for
  for (int I = 0; I < Count; ++I)
    To[I] = To[I] * 3 + From[I] + By;
}
static void raise(int *At) { *At += omp_get_thread_num() + 1; }
#pragma omp end declare target

struct Data {
  std::vector<int> A, B;
  int Scalar = 3;
  Data() : A(N), B(N) {
    std::iota(A.begin(), A.end(), 1);
    std::iota(B.begin(), B.end(), 7);
  }
  bool operator==(const Data &) const = default;
};

// Tiles of one array behind their neighbours.
static void tiles(Data &D, bool Far) {
  int *A = D.A.data(), *B = D.B.data();
  if (Far) {
#pragma omp target map(tofrom : A[0 : N], B[0 : N])
    for (int Round = 0; Round < 3; ++Round)
      for (int I = 0; I + 1 < N / T; ++I) {
#pragma omp task
        mix(A + I * T, A + (I + 1) * T, T, Round);
#pragma omp task
        mix(B + I * T, A + I * T, T, Round);
      }
    return;
  }
  for (int Round = 0; Round < 3; ++Round)
    for (int I = 0; I + 1 < N / T; ++I) {
      mix(A + I * T, A + (I + 1) * T, T, Round);
      mix(B + I * T, A + I * T, T, Round);
    }
}

// What a task touches hangs on a variable that tasks before it write.
static void variables(Data &D, bool Far) {
  int *A = D.A.data();
  int &Scalar = D.Scalar;
  if (Far) {
#pragma omp target map(tofrom : A[0 : N], Scalar)
    {
      int At = 2;
#pragma omp task shared(At)
      At = A[At];
#pragma omp task shared(At, Scalar)
      Scalar = At + 5;
#pragma omp task shared(At, Scalar)
      A[At] = A[Scalar] * 2;
#pragma omp task
      A[3] += 100;
#pragma omp task if (0) shared(At)
      A[At] += A[3];
#pragma omp taskwait
    }
    return;
  }
  int At = 2;
  At = A[At];
  Scalar = At + 5;
  A[At] = A[Scalar] * 2;
  A[3] += 100;
  A[At] += A[3];
}

// Of some only the array is known, of others nothing.
static void unknown(Data &D, bool Far) {
  int *A = D.A.data(), *B = D.B.data();
  if (Far) {
#pragma omp target map(tofrom : A[0 : N], B[0 : N])
    {
      for (int I = 0; I < 4; ++I) {
#pragma omp task
        A[B[I] % N] = A[I] + I;
#pragma omp task
        raise(A + B[I] % N);
#pragma omp task depend(inout : A[I])
        A[I] += 2;
#pragma omp task
        Global += A[I];
#pragma omp task
        B[I + 1] += Global % 5;
      }
#pragma omp taskloop grainsize(4)
      for (int I = 0; I < 16; ++I)
        A[I] += A[I + 1];
    }
#pragma omp target update from(Global)
    return;
  }
  for (int I = 0; I < 4; ++I) {
    A[B[I] % N] = A[I] + I;
    raise(A + B[I] % N);
    A[I] += 2;
    Global += A[I];
    B[I + 1] += Global % 5;
  }
  for (int I = 0; I < 16; ++I)
    A[I] += A[I + 1];
}

template <typename Program> static void compare(const char *Name, Program Run) {
  Data Near, Far;
  Global = 1;
  Run(Near, false);
  int Expected = Global;
  Global = 1;
#pragma omp target update to(Global)
  Run(Far, true);
  printf("%s: %s\n", Name,
         Near == Far && Global == Expected ? "same" : "different");
}

int main() {
  for (int Round = 0; Round < 2; ++Round) {
    compare("tiles", tiles);
    compare("variables", variables);
    compare("unknown", unknown);
  }
}
