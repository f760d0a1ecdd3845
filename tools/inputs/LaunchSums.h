// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the blocks of each launch did and took together, and what
// their places are called.
// On the data's way: from a recording's events and costs to what bm-dump and
// bm-report sum up, which must say the same.
// Invariants: one for each launch, in their order. Ownership and threads:
// plain values and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_LAUNCHSUMS_H
#define BLOCKMAESTRO_TOOLS_INPUTS_LAUNCHSUMS_H

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

  bool hasRun() const { return Events != 0; }
  uint64_t ns() const { return hasRun() ? End - Start : 0; }
};

/// Adds blocks to the sums of their launches, which are there.
void addEvents(const PackedBlocks<Event> &Of, std::vector<LaunchSum> &To);
void addCosts(const PackedBlocks<RecordedCost> &Of, std::vector<LaunchSum> &To);

std::vector<LaunchSum> launchSums(const Recording &Of);
/// The same without what blocks cost.
std::vector<LaunchSum> launchTimes(const Recording &Of);

/// The first start of all; 0 where nothing ran.
uint64_t firstStart(const std::vector<LaunchSum> &Of);

/// What Event::Where numbers: "worker" on the emulated device, else "SM".
const char *placeKind(const Recording &Of);

} // namespace blockmaestro

#endif
