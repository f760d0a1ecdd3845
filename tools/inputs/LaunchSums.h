// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the blocks of each launch did and took together, as
// bm-dump recording has it.
// On the data's way: from a recording's events and costs to the tables of
// launches and kernels.
// Invariants: one for each launch, in their order. Ownership and threads:
// plain values and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_LAUNCHSUMS_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_LAUNCHSUMS_H

#include "blockmaestro/Recording.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

struct LaunchSum {
  uint64_t Events = 0;
  uint64_t Start = ~uint64_t(0);
  uint64_t End = 0;
  uint64_t BlockNs = 0; ///< Of all blocks.
  uint64_t Costs = 0;
  BlockCost Cost;

  uint64_t ns() const { return Events ? End - Start : 0; }
};

std::vector<LaunchSum> launchSums(const Recording &Of);

/// The first start of all; 0 where nothing ran.
uint64_t firstStart(const std::vector<LaunchSum> &Of);

} // namespace blockmaestro

#endif
