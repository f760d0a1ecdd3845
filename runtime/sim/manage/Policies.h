// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the policies that need to know nothing but what was asked for:
// one application after the other, what is left over, parts of the SMs, and
// shares of each SM.
// On the data's way: made by Management, asked by WarpModel block by block.
// docs/management.md describes them.
// Invariants: an application that is the last one has no limit, nor does it go
// past L1. Blocks that an SM has run to their end wherever limits change.
// Ownership and threads: each for one run.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MANAGE_POLICIES_H
#define BLOCKMAESTRO_RUNTIME_SIM_MANAGE_POLICIES_H

#include "BlockPolicy.h"

#include <memory>
#include <vector>

namespace blockmaestro::sim {

/// Blocks that an SM has at most of an application, and of these those that go
/// past L1: {Tb, By} of the paper.
struct Share {
  static constexpr uint32_t Unlimited = ~0u;

  uint32_t Blocks = Unlimited;
  uint32_t Bypassing = 0;

  friend bool operator==(const Share &, const Share &) = default;
};

/// Of each application; empty: all without limit.
using Shares = std::vector<Share>;

/// Launches wait until those of all applications before have ended.
std::unique_ptr<BlockPolicy> makeSequential();

/// Launches by when they began, those of one time by their applications: blocks
/// of the first that has any left; an SM gets no other one meanwhile.
std::unique_ptr<BlockPolicy> makeLeftover();

/// Applications have SMs of their own: so many each, from the first on; empty:
/// even parts. Where an application has fewer blocks than SMs, or has ended,
/// the others share what it leaves evenly. \p Limits: on each of its SMs.
std::unique_ptr<BlockPolicy> makePartition(std::vector<uint32_t> SmsOf,
                                           Shares Limits);

/// Every SM has so many blocks of each application.
std::unique_ptr<BlockPolicy> makeShares(Shares Limits);

/// The application, of some, that has a block for an SM and the fewest there,
/// within its share.
std::optional<uint32_t> fewestWithin(const RunState &Of, uint32_t Sm,
                                     const std::vector<uint32_t> &Some,
                                     const Shares &Limits);

/// The leftover policy among some applications.
std::optional<uint32_t> firstBegun(const RunState &Of, uint32_t Sm,
                                   const std::vector<uint32_t> &Some);

/// Those that have not ended.
std::vector<uint32_t> unended(const RunState &Of);

} // namespace blockmaestro::sim

#endif
