// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 40,000 tasks in a thousand chains.

#include <algorithm>
#include <cstdio>

int main() {
  constexpr int Tasks = 40000, Chains = 1000;
  int A[Chains] = {};
#pragma omp target parallel num_threads(32) map(tofrom : A)
#pragma omp single
  for (int I = 0; I < Tasks; ++I)
#pragma omp task depend(inout : A[I % Chains])
    A[I % Chains] = int(A[I % Chains] * 3u + unsigned(I / Chains));
  int Expected = 0;
  for (int I = 0; I < Tasks / Chains; ++I)
    Expected = int(unsigned(Expected) * 3 + unsigned(I));
  std::printf("%ld of %d chains\n", long(std::count(A, A + Chains, Expected)),
              Chains);
}
