// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the choices that are made by trying: the best of all shares of an
// SM, and the parts of the SMs and blocks on them that hill climbing finds.
// On the data's way: from Applications to a ManagedRun, which Management
// returns with the others. Invariants: of choices that do as much in a cycle
// the first counts, by rising numbers. Ownership and threads: applications and
// machine outlive it; runs that do not rest on each other are made by several
// threads.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MANAGE_SEARCH_H
#define BLOCKMAESTRO_RUNTIME_SIM_MANAGE_SEARCH_H

#include "PairPolicy.h"
#include "WarpModel.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockmaestro::sim {

struct ManagedRun {
  std::string Policy;
  RunReport Report;
  Shares Limits;               ///< That were given or chosen; may be empty.
  std::vector<uint32_t> SmsOf; ///< The parts that were chosen; may be empty.
  uint64_t Tried = 0;          ///< Other runs that it took to choose.
  std::optional<LearningLog> Learned; ///< Where SMs learn.
};

/// What is run, on what, by so many threads; 0: as many as there are cores.
struct Managed {
  std::span<const Application> Applications;
  const Machine &On;
  RunOptions How;
  unsigned Jobs = 0;
};

/// All shares of which an SM can have the blocks together; with bypassing all
/// numbers of these that go past L1.
std::vector<Shares> allShares(const Managed &What, bool WithBypass);

/// Tries them all. A run that takes longer than another one took is given up,
/// unless applications are cut, where the work differs.
ManagedRun bestShares(const Managed &What, bool WithBypass);

/// SMC of Wu et al.: first, with even parts of the SMs, for each application
/// fewer blocks on an SM as long as that does more in a cycle; then, with
/// these, an SM more of one and less of another as long as that does.
ManagedRun climbPartition(const Managed &What);

} // namespace blockmaestro::sim

#endif
