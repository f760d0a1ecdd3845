// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Work.h"

#define main program
namespace image_extract {
#include "../image-extract/image-extract.cu"
} // namespace image_extract
#undef main

Work imageExtractWork() {
  using namespace image_extract;
  const int Side = 4096;
  const size_t N = size_t(Side) * Side;
  auto Image = randomArray<float>(N, 1, 2);
  auto Sum = arrayOf(std::vector<float>{1.5f * N});
  auto Square = arrayOf(std::vector<float>{2.33f * N});
  auto North = emptyArray<float>(N), South = emptyArray<float>(N);
  auto West = emptyArray<float>(N), East = emptyArray<float>(N);
  auto Spread = emptyArray<float>(N);
  const dim3 Block(TileX, TileY), Grid(Side / TileX, Side / TileY);
  return workOf<float>("image-extract", Spread, [=](cudaStream_t On) {
    srad<<<Grid, Block, 0, On>>>(Side, Side, *Image, *Sum, *Square, *North,
                                 *South, *West, *East, *Spread);
  });
}
