// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which blocks of an earlier launch each block of a later launch
// must wait for, from what the two touch.
// On the data's way: two LaunchAccesses -> relate -> Relation -> Encode,
// Window. Invariants:
//  - Every pair of blocks of which one writes a byte the other reads or writes
//    is in the relation, with its hazards (an atomic reads and writes).
//  - Exact only when no other pair is in it. A pair may still carry a hazard it
//    does not have, besides one it has.
//  - Cost depends on the number of accesses, not on the number of blocks; but
//    where pieces are not exact because of the blocks' shape and the blocks are
//    few, they are looked at one by one (Lists.h).
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_GRAPH_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_GRAPH_H

#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/BlockGraph.h"

namespace blockmaestro {

struct Seen;

/// More pieces than this become a full relation.
inline constexpr size_t MaxRelationPieces = 32;

/// The work that looking at blocks one by one may take for one relation, about
/// in runs of bytes looked at.
inline constexpr uint64_t MostEffort = uint64_t(1) << 18;

/// The ids of the launches are left 0 for the caller. Takes what looking at
/// blocks one by one cost from Effort; without enough of it they are not.
Relation relate(const Seen &Producer, const Seen &Consumer, uint64_t &Effort);

/// The same of launches of which nothing has been found yet.
Relation relate(const LaunchAccesses &Producer, const LaunchAccesses &Consumer,
                uint64_t &Effort);

/// The same with all the effort that one relation may take.
inline Relation relate(const LaunchAccesses &Producer,
                       const LaunchAccesses &Consumer) {
  uint64_t Effort = MostEffort;
  return relate(Producer, Consumer, Effort);
}

} // namespace blockmaestro

#endif
