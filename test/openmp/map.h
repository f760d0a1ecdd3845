// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the programs on data mapping share: they print "ok", or what is wrong.

#ifndef BLOCKMAESTRO_TEST_OPENMP_MAP_H
#define BLOCKMAESTRO_TEST_OPENMP_MAP_H

#include <cstdio>
#include <cstdlib>
#include <omp.h>

inline int Failures = 0;

#define CHECK(Condition)                                                       \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #Condition);      \
      ++Failures;                                                              \
    }                                                                          \
  } while (0)

/// Whether regions run on a device with memory of its own.
inline bool isFar() {
  int Far = 0;
#pragma omp target map(from : Far)
  Far = !omp_is_initial_device();
  return Far != 0;
}

inline int report() {
  if (Failures == 0)
    std::printf("ok\n");
  return Failures != 0;
}

#endif
