// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// depend clauses of variables of declare target.

#include "check.h"

#pragma omp begin declare target
int Cell;
#pragma omp end declare target

int main() {
  int Result = 0;
#pragma omp target parallel map(tofrom : Result)
#pragma omp single
  {
#pragma omp task depend(out : Cell)
    Cell = 6;
#pragma omp task depend(in : Cell) shared(Result)
    Result = Cell * 7;
  }
  expect(Result == 42);
  return finish();
}
