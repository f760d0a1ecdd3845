// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the warp tier: replays the launches of a recording instruction by
// instruction, by what their warps did.
// On the data's way: from Recording's traces and Machine to a WarpReport, which
// bm-sim prints. The model is described in docs/warp-tier.md.
// Invariants: launches run one after the other, in the order issued. Blocks are
// handed out in their order, round the SMs, each place that gets free to the
// next one. L2 keeps what it has from launch to launch, L1 does not. The same
// recording gives the same report, to the last number.
// Ownership and threads: one thread; the recording and the machine are read.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_WARPMODEL_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_WARPMODEL_H

#include "Sm.h"
#include "blockmaestro/Recording.h"
#include "blockmaestro/Status.h"

#include <array>
#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

/// What happened in one launch, or in all together.
struct WarpCounts {
  uint64_t Cycles = 0;
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

struct WarpReport {
  std::vector<WarpCounts> Launches; ///< In the order issued.
  WarpCounts All;
  uint32_t WarpsOneIn = 1;
};

/// Whether the numbers of a machine go together; the message is for users.
Status checkWarpMachine(const Machine &On);

/// Refuses recordings without traces, launches without any, blocks that fit no
/// SM, and traces that do not keep their promises.
Result<WarpReport> simulateWarps(const Recording &Of, const Machine &On,
                                 WarpPolicy By,
                                 std::vector<WarpEnd> *Ends = nullptr);

} // namespace blockmaestro::sim

#endif
