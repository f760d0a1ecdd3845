/* Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * taskloop, taskgroup, depobj and a declared function in C.
 */

#include "check.h"

#pragma omp begin declare target
static int square(int X) { return X * X; }
#pragma omp end declare target

int main(void) {
  int A[20] = {0}, Sum = 0, Wrong = 0;
#pragma omp target parallel map(tofrom : A, Sum)
#pragma omp single
  {
    omp_depend_t Object;
#pragma omp depobj(Object) depend(inout : Sum)
#pragma omp taskgroup
    {
#pragma omp taskloop grainsize(6) nogroup
      for (int I = 0; I < 20; ++I)
        A[I] = square(I);
    }
#pragma omp task depend(depobj : Object) shared(A, Sum)
    for (int I = 0; I < 20; ++I)
      Sum += A[I];
#pragma omp taskwait
#pragma omp depobj(Object) destroy
  }
  for (int I = 0; I < 20; ++I)
    Wrong += A[I] != I * I;
  expect(Wrong == 0 && Sum == 2470);
  return finish();
}
