/* Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A region in C, also of large tasks, called by several threads of the host at
 * once. */

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { Callers = 6, Rounds = 20, Cells = 40 };

struct Large {
  double Values[8000];
};

/* A chain through the cells, and a number that comes with each task. */
static void chain(long *A, long Factor) {
#pragma omp target parallel num_threads(32) map(tofrom : A[0 : Cells])
#pragma omp single
  {
    long Shared = Factor;
    for (int I = 0; I + 1 < Cells; ++I)
#pragma omp task depend(in : A[I]) depend(inout : A[I + 1]) shared(Shared)
      A[I + 1] += A[I] * Shared + I;
#pragma omp taskwait
  }
}

static int chains(int Caller) {
  long A[Cells] = {0}, B[Cells] = {0};
  for (int Round = 0; Round < Rounds; ++Round) {
    A[0] = B[0] = Caller + Round / 4;
    chain(A, Caller);
    for (int I = 0; I + 1 < Cells; ++I)
      B[I + 1] += B[I] * Caller + I;
  }
  return memcmp(A, B, sizeof(A)) != 0;
}

static void *call(void *Caller) {
  return (void *)(long)chains((int)(long)Caller);
}

static double large(void) {
  double Sum = 0;
  struct Large Own;
  for (int I = 0; I < 8000; ++I)
    Own.Values[I] = I;
#pragma omp target map(tofrom : Sum) map(to : Own)
  for (int Task = 0; Task < 3; ++Task) {
    struct Large Copy = Own;
    Copy.Values[0] = Task;
#pragma omp task firstprivate(Copy) depend(inout : Sum) shared(Sum)
    for (int I = 0; I < 8000; ++I)
      Sum += Copy.Values[I];
  }
  return Sum;
}

int main(void) {
  pthread_t Threads[Callers];
  long Wrong = 0;
  for (long I = 0; I < Callers; ++I)
    pthread_create(&Threads[I], NULL, call, (void *)(I + 1));
  for (int I = 0; I < Callers; ++I) {
    void *Mine;
    pthread_join(Threads[I], &Mine);
    Wrong += (long)Mine;
  }
  printf("wrong: %ld, large: %.0f\n", Wrong, large());
  return 0;
}
