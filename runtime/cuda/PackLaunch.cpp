// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackLaunch.h"

#include <algorithm>
#include <limits>

namespace blockmaestro {

std::shared_ptr<Launch> packLaunch(const KernelRecord &Kernel, dim3 Grid,
                                   dim3 Block, void **Args,
                                   size_t SharedBytes) {
  auto Packed = std::make_shared<Launch>();
  Packed->Kernel = &Kernel;
  Packed->Grid = {Grid.x, Grid.y, Grid.z};
  Packed->Block = {Block.x, Block.y, Block.z};
  if (Kernel.Cluster[0] != 0)
    Packed->Cluster = {Kernel.Cluster[0], Kernel.Cluster[1], Kernel.Cluster[2]};
  Packed->DynamicSharedBytes = static_cast<uint32_t>(
      std::min<size_t>(SharedBytes, std::numeric_limits<uint32_t>::max()));
  Packed->Arguments = packedArguments(Kernel, Args);
  return Packed;
}

} // namespace blockmaestro
