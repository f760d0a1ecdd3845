// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// error at(execution) on a way that is not taken.

#include "check.h"

int main() {
  int A = 0;
#pragma omp target map(tofrom : A)
  {
    if (A == 1) {
#pragma omp error at(execution) severity(fatal) message("never")
    }
    A = 3;
  }
  expect(A == 3);
  return finish();
}
