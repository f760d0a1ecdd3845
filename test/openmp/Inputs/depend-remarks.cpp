// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For depend-remarks.test. Columns are those of the list items.

#include <omp.h>

static void widths(float *A, float *B, int N, int T) {
#pragma omp target map(tofrom : A[0 : N], B[0 : N])
  for (int I = 0; I < N / T; ++I) {
// CHECK-DAG: depend-remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: this depend clause is wider than needed: the task does not touch its first 4 bytes and its last 8 bytes by this pointer
#pragma omp task depend(inout : A[I * T : T])
#pragma omp parallel for
    for (int J = 1; J < T - 2; ++J)
      A[I * T + J] += 1;

// CHECK-DAG: depend-remarks.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: this depend clause is wider than needed: the task only reads what it touches by this pointer
#pragma omp task depend(inout : A[I * T : T]) depend(out : B[I * T : T])
    for (int J = 0; J < T; ++J)
      B[I * T + J] = A[I * T + J];

// CHECK-DAG: depend-remarks.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: this depend clause is wider than needed: the task touches nothing by this pointer
#pragma omp task depend(inout : A[I * T : T])                                  \
    depend(in : B[I * T : T])
    for (int J = 0; J < T; ++J)
      A[I * T + J] = J;
  }
}

// Nothing can be said, or nothing is too much.
static void exact(float *A, const int *At, int N, int T) {
#pragma omp target map(tofrom : A[0 : N], At[0 : N])
  for (int I = 0; I < N / T; ++I) {
    int X = I + 1;
// EXACT-NOT: depend-remarks.cpp:[[#@LINE+1]]:{{.*}}wider
#pragma omp task depend(inout : A[I * T : T]) shared(X) depend(in : X)
    for (int J = 0; J < T; ++J)
      A[I * T + J] += X;
// EXACT-NOT: depend-remarks.cpp:[[#@LINE+1]]:{{.*}}wider
#pragma omp task depend(inout : A[0 : N]) depend(in : At[I])
    A[At[I]] = 1;
    float *Middle = A + T;
// EXACT-NOT: depend-remarks.cpp:[[#@LINE+1]]:{{.*}}wider
#pragma omp task depend(inout : A[T : N - T])
    for (int J = 0; J < N - T; ++J)
      Middle[J] = 2;
#pragma omp taskwait
  }
}

// What a team's threads do differently.
static void teams(float *A, int N) {
#pragma omp target map(tofrom : A[0 : N])
  {
// CHECK-DAG: depend-remarks.cpp:[[#@LINE+1]]:1: remark: task: write {{(bounded|allocation|unknown)}}
#pragma omp task depend(inout : A[0 : N])
#pragma omp parallel
    A[omp_get_thread_num()] = 1;
// CHECK-DAG: depend-remarks.cpp:[[#@LINE+1]]:1: remark: task: write {{(bounded|allocation|unknown)}}
#pragma omp task depend(inout : A[0 : N])
#pragma omp parallel for schedule(dynamic)
    for (int I = 0; I < N; ++I)
      A[I] = 1;
// CHECK-DAG: depend-remarks.cpp:[[#@LINE+1]]:1: remark: task: write exact { [bx] -> arg0@{{[0-9]+}}[4*i0 + 0..3] }
#pragma omp task depend(inout : A[0 : N])
#pragma omp parallel
#pragma omp single
    for (int I = 0; I < N; ++I)
      A[I] = 1;
// CHECK-DAG: depend-remarks.cpp:[[#@LINE+1]]:1: remark: task: write exact { [bx] -> arg0@{{[0-9]+}}[0..3] }
#pragma omp task depend(inout : A[0 : N])
    {
      float Sum = 0;
#pragma omp parallel for reduction(+ : Sum) schedule(static)
      for (int I = 1; I < N; ++I)
        Sum += A[I];
      A[0] = Sum;
    }
  }
}

int main() {
  float Data[64] = {};
  int At[64] = {};
  widths(Data, Data + 32, 32, 8);
  exact(Data, At, 64, 8);
  teams(Data, 64);
}
