// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Work.h"

#define main program
namespace jds_spmv {
#include "../jds-spmv/jds-spmv.cu"
} // namespace jds_spmv
#undef main

Work jdsSpmvWork() {
  const int N = 1000000, Diagonals = 32;
  auto Length = arrayOf(std::vector<int>(N, Diagonals));
  std::vector<int> Starts(Diagonals), Rows(N);
  for (int I = 0; I < Diagonals; ++I)
    Starts[I] = I * N;
  std::iota(Rows.begin(), Rows.end(), 0);
  auto Diagonal = arrayOf(Starts), Row = arrayOf(Rows);
  auto Column = arrayOf(scattered<int>(size_t(N) * Diagonals, N));
  auto Entry = randomArray<float>(size_t(N) * Diagonals, 0, 1);
  auto From = randomArray<float>(N, 0, 1), To = emptyArray<float>(N);
  return workOf<float>("jds-spmv", To, [=](cudaStream_t On) {
    jds_spmv::multiply<<<(N + 255) / 256, 256, 0, On>>>(
        N, *Length, *Diagonal, *Row, *Column, *Entry, *From, *To);
  });
}
