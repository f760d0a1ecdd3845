// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Complex numbers in C.

#include "check.h"
#include <complex.h>

int main(void) {
  double _Complex Sum = 0;
  int K;
#pragma omp target map(tofrom : Sum)
#pragma omp parallel for
  for (K = 0; K < 100; ++K)
#pragma omp critical
    Sum += K + 2.0 * K * _Complex_I;
  expect(creal(Sum) == 4950 && cimag(Sum) == 9900);
  return finish();
}
