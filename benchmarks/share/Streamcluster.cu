// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Work.h"

#define main program
namespace streamcluster {
#include "../streamcluster/streamcluster.cu"
} // namespace streamcluster
#undef main

Work streamclusterWork() {
  using namespace streamcluster;
  const int N = 2000000, Dimensions = 32, Blocks = (N + Width - 1) / Width;
  auto Points = randomArray<float>(size_t(N) * Dimensions, 0, 9);
  auto Weight = arrayOf(scattered<int>(N, 3));
  auto Slot = arrayOf(scattered<int>(N, 8)),
       Cost = arrayOf(scattered<int>(N, 900));
  auto NewCost = emptyArray<int>(N);
  auto Partial = emptyArray<Whole>(size_t(Blocks) * Columns);
  return workOf<Whole>("streamcluster", Partial, [=](cudaStream_t On) {
    gain<<<Blocks, Width, Dimensions * sizeof(float), On>>>(
        N, Dimensions, 5, *Points, *Weight, *Slot, *Cost, *NewCost, *Partial);
  });
}
