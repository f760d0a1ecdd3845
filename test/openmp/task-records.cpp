// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks find in their records what the region gave them, in whatever order the
// host and the device have variables there: as a graph, and one after the other
// where the region cannot be inspected.

#include <cstdio>
#include <omp.h>

struct Range {
  int Begin, Count;
};

#pragma omp declare target
static int sum(const int *From, int Count) {
  int Out = 0;
  for (int I = 0; I < Count; ++I)
    Out += From[I];
  return Out;
}
/// A region that calls it cannot be inspected.
static void touch(volatile int *Word) { *Word = *Word; }
#pragma omp end declare target

/// Arrays of 16 bytes and more are first in the host's records. IsAlone: tasks
/// are run where they are created.
static void privates(int *A, bool IsAlone) {
#pragma omp task depend(inout : A[0]) if (!IsAlone)
  A[0] += 1;
  int Large[9], Small[3] = {1, 2, 3};
  double Factor = 2;
  const Range Of = {4, 5};
  for (int I = 0; I < 9; ++I)
    Large[I] = I;
#pragma omp task firstprivate(Small, Large, Factor, Of)                        \
    depend(inout : A[0]) if (!IsAlone)
  A[0] =
      A[0] * 10 + int(Factor) * sum(Large + Of.Begin, Of.Count) + sum(Small, 3);
  Large[4] = 1000;
}

/// Untied tasks are called again for their next part.
static void parts(int *A, bool IsAlone) {
  int Scratch = 0;
#pragma omp task untied private(Scratch) depend(inout : A[1]) if (!IsAlone)
  {
    Scratch = A[1];
#pragma omp taskyield
    A[1] = 3 * Scratch + 1;
  }
}

static void depobjs(int *A) {
  for (int I = 0; I < 3; ++I) {
    omp_depend_t Object;
#pragma omp depobj(Object) depend(inout : A[2])
#pragma omp task depend(depobj : Object)
    A[2] = A[2] * 2 + I;
#pragma omp depobj(Object) destroy
  }
}

/// Tasks of a loop have a structure each.
static void loop(int *A) {
  const Range Of = {3, 20};
#pragma omp taskloop grainsize(3)
  for (int I = 0; I < Of.Count; ++I)
    A[Of.Begin + I] += I;
}

static void print(const char *What, const int *A) {
  std::printf("%s: %d, %d, %d, %d\n", What, A[0], A[1], A[2], sum(A + 3, 20));
}

int main() {
  int A[23] = {7, 5, 1};
  for (int Twice = 0; Twice < 2; ++Twice)
#pragma omp target map(tofrom : A)
  {
    privates(A, false);
    parts(A, false);
    parts(A, true);
    depobjs(A);
    loop(A);
  }
  print("graph", A);
  int B[23] = {7, 5, 1};
  for (int Twice = 0; Twice < 2; ++Twice)
#pragma omp target map(tofrom : B)
  {
    touch(B);
    privates(B, Twice);
    parts(B, Twice);
    parts(B, !Twice);
    depobjs(B);
    loop(B);
  }
  print("serial", B);
}
