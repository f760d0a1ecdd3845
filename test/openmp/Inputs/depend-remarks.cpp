// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For depend-remarks.test. Columns are those of the list items.

#include <omp.h>

static void widths(float *A, float *B, int N, int T) {
#pragma omp target map(tofrom : A[0 : N], B[0 : N])
  for (int I = 0; I < N / T; ++I) {
// CHECK-DAG: cpp:[[#@LINE+1]]:{{.*}}[[WIDE]] [[ENDS]]
#pragma omp task depend(inout : A[I * T : T])
#pragma omp parallel for
    for (int J = 1; J < T - 2; ++J)
      A[I * T + J] += 1;

// CHECK-DAG: cpp:[[#@LINE+1]]:{{.*}}[[WIDE]] only reads
#pragma omp task depend(inout : A[I * T : T]) depend(out : B[I * T : T])
    for (int J = 0; J < T; ++J)
      B[I * T + J] = A[I * T + J];

// CHECK-DAG: cpp:[[#@LINE+1]]:{{.*}}[[WIDE]] touches nothing
#pragma omp task depend(inout : A[I * T : T]) depend(in : B[I * T : T])
    for (int J = 0; J < T; ++J)
      A[I * T + J] = J;
  }
}

// Nothing can be said, or nothing is too much.
static void exact(float *A, const int *At, int N, int T) {
#pragma omp target map(tofrom : A[0 : N], At[0 : N])
  for (int I = 0; I < N / T; ++I) {
    int X = I + 1;
// EXACT-NOT: cpp:[[#@LINE+1]]:{{.*}}wider
#pragma omp task depend(inout : A[I * T : T]) shared(X) depend(in : X)
    for (int J = 0; J < T; ++J)
      A[I * T + J] += X;
// EXACT-NOT: cpp:[[#@LINE+1]]:{{.*}}wider
#pragma omp task depend(inout : A[0 : N]) depend(in : At[I])
    A[At[I]] = 1;
    float *Middle = A + T;
// EXACT-NOT: cpp:[[#@LINE+1]]:{{.*}}wider
#pragma omp task depend(inout : A[T : N - T])
    for (int J = 0; J < N - T; ++J)
      Middle[J] = 2;
#pragma omp taskwait
  }
}

// What threads of a team do differently is bounded, an allocation or unknown.
static void teams(float *A, int N) {
#pragma omp target map(tofrom : A[0 : N])
  {
// CHECK-DAG: cpp:[[#@LINE+1]]:1: [[TASK]] {{[bau]}}
#pragma omp task depend(inout : A[0 : N])
#pragma omp parallel
    A[omp_get_thread_num()] = 1;
// CHECK-DAG: cpp:[[#@LINE+1]]:1: [[TASK]] {{[bau]}}
#pragma omp task depend(inout : A[0 : N])
#pragma omp parallel for schedule(dynamic)
    for (int I = 0; I < N; ++I)
      A[I] = 1;
// CHECK-DAG: cpp:[[#@LINE+1]]:1: [[TASK]] exact {{.*}}[4*i0 + 0..3] }
#pragma omp task depend(inout : A[0 : N])
#pragma omp parallel
#pragma omp single
    for (int I = 0; I < N; ++I)
      A[I] = 1;
// CHECK-DAG: cpp:[[#@LINE+1]]:1: [[TASK]] exact {{.*}}[0..3] }
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
