// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what tasks do on the device, by one thread and by a team.

#ifndef BLOCKMAESTRO_TEST_OPENMP_RANDOM_TASKBODIES_H
#define BLOCKMAESTRO_TEST_OPENMP_RANDOM_TASKBODIES_H

#include "Program.h"

#include <omp.h>

#pragma omp declare target

static unsigned digest(const unsigned *W, Range A, unsigned Salt) {
  unsigned Out = Salt;
  for (int I = 0; I < A.Count; ++I)
    Out += mixed(W[A.Begin + I], unsigned(I), Salt);
  return Out;
}

static void mixAll(unsigned *W, Range B, unsigned From, unsigned Salt) {
  for (int I = 0; I < B.Count; ++I)
    W[B.Begin + I] = mixed(W[B.Begin + I], From + unsigned(I), Salt);
}

static unsigned copiesDigest(const unsigned *Copy, int Count) {
  unsigned Out = 0;
#pragma omp parallel for reduction(+ : Out)
  for (int I = 0; I < Count; ++I)
    Out += Copy[I] * unsigned(I + 1);
  return Out;
}

static unsigned teamDigest(const unsigned *W, Range A, unsigned Salt) {
  unsigned Out = 0;
#pragma omp parallel for reduction(+ : Out)
  for (int I = 0; I < A.Count; ++I)
    Out += mixed(W[A.Begin + I], unsigned(I), Salt);
  return Out + Salt;
}

static void mixTogether(unsigned *W, Range, Range B, unsigned From,
                        unsigned Salt) {
#pragma omp parallel for
  for (int I = 0; I < B.Count; ++I)
    W[B.Begin + I] = mixed(W[B.Begin + I], From + unsigned(I), Salt);
}

static void addTogether(unsigned *W, Range B, unsigned From) {
#pragma omp parallel for schedule(static, 2)
  for (int I = 0; I < B.Count; ++I)
    W[B.Begin + I] += From + unsigned(I);
}

static void addAtomically(unsigned *W, Range B, unsigned From) {
#pragma omp parallel for
  for (int I = 0; I < B.Count; ++I)
#pragma omp atomic
    W[B.Begin + I] += From + unsigned(I);
}

/// Clang 22 adds twice to a reduced variable that a `parallel` sees too.
static unsigned vectorDigest(const unsigned *W, Range A, unsigned Salt) {
  unsigned Out = Salt;
#pragma omp simd reduction(+ : Out)
  for (int I = 0; I < A.Count; ++I)
    Out += mixed(W[A.Begin + I], unsigned(I), Salt);
  return Out;
}

/// As mixAll with the digest of A, in one of several ways.
static void workInTeam(unsigned *W, Range A, Range B, int How, unsigned Salt) {
  unsigned From = 0;
  switch (How % 4) {
  case 0:
#pragma omp parallel
  {
    unsigned Mine = 0;
#pragma omp for schedule(dynamic, 3) nowait
    for (int I = 0; I < A.Count; ++I)
      Mine += mixed(W[A.Begin + I], unsigned(I), Salt);
#pragma omp critical
    From += Mine;
#pragma omp barrier
#pragma omp single
    From += Salt;
#pragma omp for
    for (int I = 0; I < B.Count; ++I)
      W[B.Begin + I] = mixed(W[B.Begin + I], From + unsigned(I), Salt);
  } break;
  case 1:
#pragma omp parallel num_threads(7)
  {
    const int Step = omp_get_num_threads();
    for (int I = omp_get_thread_num(); I < A.Count; I += Step)
#pragma omp atomic
      From += mixed(W[A.Begin + I], unsigned(I), Salt);
#pragma omp barrier
    for (int I = omp_get_thread_num(); I < B.Count; I += Step)
      W[B.Begin + I] = mixed(W[B.Begin + I], From + Salt + unsigned(I), Salt);
  } break;
  case 2: {
    From = vectorDigest(W, A, Salt);
#pragma omp parallel for if (B.Count > 4) schedule(guided)
    for (int I = 0; I < B.Count; ++I)
      W[B.Begin + I] = mixed(W[B.Begin + I], From + unsigned(I), Salt);
    break;
  }
  default: {
    unsigned Halves[2] = {0, 0};
#pragma omp parallel sections
    {
#pragma omp section
      for (int I = 0; I < A.Count; I += 2)
        Halves[0] += mixed(W[A.Begin + I], unsigned(I), Salt);
#pragma omp section
      for (int I = 1; I < A.Count; I += 2)
        Halves[1] += mixed(W[A.Begin + I], unsigned(I), Salt);
    }
    mixAll(W, B, Halves[0] + Halves[1] + Salt, Salt);
  }
  }
}

#pragma omp end declare target

#endif
