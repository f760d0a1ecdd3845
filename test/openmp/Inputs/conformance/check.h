/* Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What it is: how a program of the conformance list says whether it holds. One
 * that does prints `ok` and returns 0.
 */

#ifndef CHECK_H
#define CHECK_H

#include <omp.h>
#include <stdio.h>

static int Failures = 0;

/* Of the host, behind the region. */
#define expect(Condition)                                                      \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      printf("line %d: not %s\n", __LINE__, #Condition);                       \
      ++Failures;                                                              \
    }                                                                          \
  } while (0)

static inline int finish(void) {
  if (!Failures)
    puts("ok");
  return Failures != 0;
}

#endif
