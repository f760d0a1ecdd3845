// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// parallel with more shared variables than registers pass.

#include "check.h"

int main() {
  long Got = 0;
#pragma omp target map(tofrom : Got)
  {
    int A = 1, B = 2, C = 3, D = 4, E = 5, F = 6, G = 7, H = 8, I = 9, J = 10;
    int K = 11, L = 12, M = 13, N = 14, O = 15, Q = 16, R = 17, S = 18, T = 19;
    int U = 20, V = 21, W = 22, X = 23, Y = 24, Z = 25;
#pragma omp parallel reduction(+ : Got)
    if (omp_get_thread_num() == 0)
      Got += A + B + C + D + E + F + G + H + I + J + K + L + M + N + O + Q + R +
             S + T + U + V + W + X + Y + Z;
  }
  expect(Got == 325);
  return finish();
}
