// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Three tasks of which the second fails, or never ends, or has undeclared what
// the third writes.

#include <cstdio>
#include <cstring>

int main(int Argc, char **Argv) {
  const char *How = Argc > 1 ? Argv[1] : "";
  const bool IsStuck = std::strcmp(How, "stuck") == 0;
  const bool IsNull = std::strcmp(How, "null") == 0;
  int A[4] = {1, 2, 3, 4};
#pragma omp target parallel num_threads(32) map(tofrom : A)
#pragma omp single
  {
    int *Where = IsNull ? nullptr : A;
#pragma omp task depend(inout : A[0])
    A[0] += 1;
#pragma omp task depend(inout : A[1])
    {
      A[1] += Where[0];
      for (volatile int *Word = A; IsStuck && Word[3] == 4;)
        ;
    }
#pragma omp task depend(inout : A[0])
    A[0] *= 3;
    // In any order, and so no findings.
    for (int I = 0; I < 2; ++I)
#pragma omp task depend(in : A[I]) depend(inoutset : A[2])
#pragma omp atomic
      A[2] += I;
  }
  std::printf("%d, %d\n", A[0], A[1]);
}
