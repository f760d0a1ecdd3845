// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainOrder.h"

#include <algorithm>
#include <cassert>

namespace blockmaestro {

ChainOrder ChainOrder::line(size_t Works) {
  ChainOrder Out;
  Out.Behind.resize(Works);
  for (uint32_t I = 1; I < Works; ++I)
    Out.Behind[I] = {I - 1};
  return Out;
}

ChainOrder ChainOrder::among(std::span<const uint64_t> Needs) {
  assert(Needs.size() <= MostWorks);
  ChainOrder Out;
  std::vector<uint64_t> Before; ///< Of each work, directly or not.
  for (const uint64_t Direct : Needs) {
    std::vector<uint32_t> &Behind = Out.Behind.emplace_back();
    uint64_t Indirect = 0;
    for (uint32_t I = 0; I < Before.size(); ++I)
      if (Direct >> I & 1)
        Indirect |= Before[I];
    for (uint32_t I = 0; I < Before.size(); ++I)
      if ((Direct & ~Indirect) >> I & 1)
        Behind.push_back(I);
    Before.push_back(Direct | Indirect);
  }
  return Out;
}

size_t ChainOrder::length() const {
  std::vector<size_t> Last;
  size_t Longest = 0;
  for (const std::vector<uint32_t> &Each : Behind) {
    size_t Mine = 0;
    for (uint32_t I : Each)
      Mine = std::max(Mine, Last[I]);
    Last.push_back(Mine + 1);
    Longest = std::max(Longest, Mine + 1);
  }
  return Longest;
}

} // namespace blockmaestro
