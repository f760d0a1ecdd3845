// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// For check-footprints.test.

#include <cstdio>
#include <omp.h>
#include <vector>

constexpr int N = 64;
#pragma omp declare target
omp_lock_t Lock;
#pragma omp end declare target

// What lies between two sections.
static void sections(int *A, int *B) {
#pragma omp target map(tofrom : A[0 : N], B[0 : N])
  {
#pragma omp task depend(out : A[0 : 8])
    for (int I = 0; I < 8; ++I)
      A[I] = I;
#pragma omp task depend(in : A[8 : 8]) depend(out : B[0 : 8])
    for (int I = 0; I < 8; ++I)
      B[I] = A[I + 4];
  }
}
// CHECK: BlockMaestro: footprint: task 1 (check-footprints.cpp:[[#@LINE-5]])
// reads 16 bytes at 0x{{[0-9a-f]+}} (16 bytes into A[0:N]) at
// check-footprints.cpp:[[#@LINE-3]], which it does not declare; task 0
// (check-footprints.cpp:[[#@LINE-8]]), which nothing orders with it, writes
// them at check-footprints.cpp:[[#@LINE-6]]

// A task that says that it only reads, and all its threads.
static void kinds(int *A) {
#pragma omp target map(tofrom : A[0 : N])
  {
#pragma omp task depend(in : A[0 : N])
#pragma omp parallel for
    for (int I = 0; I < N; ++I)
      A[I] *= 2;
#pragma omp task depend(in : A[0 : N])
    (void)*(volatile int *)&A[3];
  }
}
// CHECK: footprint: task 0 (check-footprints.cpp:[[#@LINE-8]]) writes 4 bytes
// at 0x{{[0-9a-f]+}} (12 bytes into A[0:N]) at
// check-footprints.cpp:[[#@LINE-5]], which it does not declare; task 1
// (check-footprints.cpp:[[#@LINE-4]]), which nothing orders with it, reads them
// at check-footprints.cpp:[[#@LINE-3]]

// A variable of the region.
static int variables() {
  int Out = 0;
#pragma omp target map(from : Out)
  {
    int Sum = 0;
#pragma omp task shared(Sum)
    Sum += 1;
#pragma omp task shared(Sum)
    Sum += 2;
#pragma omp taskwait
    Out = Sum;
  }
  return Out;
}
// CHECK: footprint: task 1 (check-footprints.cpp:[[#@LINE-7]]) reads 4 bytes at
// 0x{{[0-9a-f]+}} at check-footprints.cpp:[[#@LINE-6]], which it does not
// declare; task 0 (check-footprints.cpp:[[#@LINE-9]]), which nothing orders
// with it, writes them at check-footprints.cpp:[[#@LINE-8]]

// Nothing is wrong with any of these.
static void right(int *A, int *Count) {
#pragma omp target map(tofrom : A[0 : N], Count[0 : 4])
  {
#pragma omp task
    A[0] = 1;
#pragma omp taskwait
    for (int I = 1; I < 4; ++I) {
#pragma omp task depend(inout : A[I])
      A[I] = A[0] + I; // Reads what nobody changes any more.
    }
#pragma omp task depend(in : A[1]) depend(out : A[8])
    A[8] = A[1];
#pragma omp task depend(in : A[8])
    A[1] = 5; // Comes behind by A[8].
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task
      A[2] = 6;
    }
#pragma omp task
    A[2] = 7;
    for (int I = 0; I < 4; ++I) {
#pragma omp task
#pragma omp parallel
      {
#pragma omp atomic
        ++Count[0];
#pragma omp critical
        Count[1] += 1;
#pragma omp critical(other)
        Count[2] += 1;
      }
    }
    for (int I = 0; I < 4; ++I) {
#pragma omp task depend(mutexinoutset : Count[3])
      Count[3] += I;
    }
#pragma omp task
    omp_init_lock(&Lock);
#pragma omp taskwait
    for (int I = 0; I < 4; ++I) {
#pragma omp task
      {
        omp_set_lock(&Lock);
        A[20] += I;
        omp_unset_lock(&Lock);
      }
#pragma omp task
      {
        while (!omp_test_lock(&Lock))
          ;
        A[20] += I;
        omp_unset_lock(&Lock);
      }
    }
  }
}

int main() {
  std::vector<int> A(N, 1), B(N);
  sections(A.data(), B.data());
  kinds(A.data());
  (void)variables();
  fprintf(stderr, "right\n");
  right(A.data(), B.data());
}
// CHECK: right
// CHECK-NEXT: BlockMaestro: BLOCKMAESTRO_CHECK: {{[0-9]+}} findings, 3 of them
// different and shown
