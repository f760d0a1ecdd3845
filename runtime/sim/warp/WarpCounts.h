// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what happened in a launch, an application, or all together.
// On the data's way: from WarpModel to policies' searches and to what bm-sim
// prints. Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_WARPCOUNTS_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_WARPCOUNTS_H

#include "Sm.h"

#include <array>
#include <cstdint>

namespace blockmaestro::sim {

struct WarpCounts {
  uint64_t Cycles = 0;
  /// Until the last block has ended, whose writes may be on their way.
  uint64_t BlockCycles = 0;
  uint64_t Blocks = 0;
  uint64_t Traced = 0; ///< Of these.
  SmCounts Executed;
  uint64_t IssueCycles = 0; ///< Of all schedulers.
  std::array<uint64_t, StallCount> Stalls{};
  L1Counts L1;
  L2Counts L2;
  DramCounts Dram;

  WarpCounts &operator+=(const WarpCounts &Other);
};

/// What has happened since B, besides cycles and blocks.
WarpCounts operator-(const WarpCounts &A, const WarpCounts &B);

} // namespace blockmaestro::sim

#endif
