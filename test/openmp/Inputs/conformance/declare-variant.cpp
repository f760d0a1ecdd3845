// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// declare variant and metadirective choose by the device.

#include "check.h"

static int onHost(int X) { return X; }
#pragma omp begin declare variant match(device = {kind(nohost)})
static int onHost(int X) { return X + 1000; }
#pragma omp end declare variant

int main() {
  int Got = 0, A[4] = {};
#pragma omp target map(from : Got)
  Got = onHost(5);
  expect(Got == 1005 && onHost(5) == 5);
#pragma omp target map(tofrom : A)
  {
#pragma omp metadirective when(device = {kind(gpu)} : parallel for) default()
    for (int I = 0; I < 4; ++I)
      A[I] = I;
  }
  expect(A[3] == 3);
  return finish();
}
