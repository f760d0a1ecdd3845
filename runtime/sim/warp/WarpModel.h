// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the warp tier: replays the launches of recordings instruction by
// instruction, by what their warps did: of one, or of several side by side.
// On the data's way: from Applications and a Machine to reports, which bm-sim
// prints. The model is described in docs/warp-tier.md and docs/management.md.
// Invariants: the launches of an application run one after the other, in the
// order issued, unless they overlap. Blocks of a launch are handed out in their
// order, then in that in which they are ready. L2 keeps what
// it has from launch to launch; what an application has in L1 is gone when its
// next launch begins. The same input gives the same report, to the last number.
// Ownership and threads: one thread; the recordings and the machine are read.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_WARPMODEL_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_WARPMODEL_H

#include "Application.h"
#include "BlockPolicy.h"
#include "Overlap.h"
#include "WarpCounts.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro::sim {

/// What became of one application.
struct ApplicationReport {
  std::vector<WarpCounts> Launches; ///< In the order issued.
  WarpCounts All;                   ///< Its cycles are those to its end.
};

struct RunReport {
  std::vector<ApplicationReport> Applications;
  WarpCounts All; ///< Its cycles are those until all have ended.
  /// Blocks that an SM got before all of an earlier launch of their recording
  /// had ended.
  uint64_t Early = 0;
};

struct RunOptions {
  WarpPolicy WarpsBy = WarpPolicy::GreedyThenOldest;
  /// No block of an application starts once it has issued so many; 0: all do.
  uint64_t Instructions = 0;
  std::vector<WarpEnd> *Ends = nullptr;
  /// Once a run takes more cycles than this, which may fall meanwhile, it is
  /// given up: its report has no cycles then.
  const std::atomic<uint64_t> *GivenUpAfter = nullptr;
  /// Of the launches of one application, which overlap: policies know each in
  /// flight as one. Null: they run one after the other.
  Overlap *Between = nullptr;
};

/// Runs applications side by side on a machine that they were checked for.
RunReport simulateTogether(std::span<const Application> Of, const Machine &On,
                           BlockPolicy &By, const RunOptions &How);

struct WarpReport {
  std::vector<WarpCounts> Launches; ///< In the order issued.
  WarpCounts All;
  uint32_t WarpsOneIn = 1;
};

/// One recording by itself; refused where applicationOf() refuses it.
Result<WarpReport> simulateWarps(const Recording &Of, const Machine &On,
                                 WarpPolicy By,
                                 std::vector<WarpEnd> *Ends = nullptr);

} // namespace blockmaestro::sim

#endif
