// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Work.h"

#define main program
namespace lbm {
#include "../lbm/lbm.cu"
} // namespace lbm
#undef main

Work lbmWork() {
  using namespace lbm;
  const Box Size{256, 128, 128};
  auto From = randomArray<float>(Ways * Size.cells(), 0.04, 0.06);
  auto To = emptyArray<float>(Ways * Size.cells());
  const dim3 Block(TileX, TileY);
  const dim3 Grid((Size.X + TileX - 1) / TileX, (Size.Y + TileY - 1) / TileY,
                  Size.Z);
  return workOf<float>("lbm", To, [=](cudaStream_t On) {
    streamCollide<<<Grid, Block, 0, On>>>(Size, *From, *To);
  });
}
