// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Work.h"

#define main program
namespace histogram {
#include "../histogram/histogram.cu"
} // namespace histogram
#undef main

Work histogramWork() {
  const int N = 64000000, Bins = 1024, Blocks = (N + 4095) / 4096;
  auto Pixels = arrayOf(scattered<unsigned short>(N, Bins));
  auto Partial = emptyArray<unsigned>(size_t(Blocks) * Bins);
  return workOf<unsigned>("histogram", Partial, [=](cudaStream_t On) {
    histogram::countPixels<<<Blocks, 256, Bins * sizeof(unsigned), On>>>(
        N, Bins, *Pixels, *Partial);
  });
}
