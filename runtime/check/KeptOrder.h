// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which blocks of an early launch have ended before a block of a
// later one begins, by nothing but the relations that executors are given.
// On the data's way: GraphCheck asks it about pairs of relations that were left
// out as implied by others.
//
// Note [Reachability by slices]
// A set of early blocks is kept for blocks in between. All of them at once
// would be memory as the square of the grids, so SliceBlocks early blocks are
// followed at a time, and of the blocks in between only those that lead from
// consumers that want one of these: where blocks wait for their neighbours that
// is time as the number of blocks.
//
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_KEPTORDER_H
#define BLOCKMAESTRO_RUNTIME_CHECK_KEPTORDER_H

#include "BlockRow.h"
#include "Window.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace blockmaestro {

/// A node as far as it waits for others.
struct OrderedNode {
  uint64_t Node = 0;
  Dim3 Grid;
  const std::vector<Need> *Needs = nullptr;
};

/// Calls Lacks(consumer, producer) for the pairs of \p Wanted, the producers of
/// each block of the last of \p Nodes among those of the first, that nothing
/// orders; until Lacks gives false. \p Nodes are in the order issued.
void forEachUnordered(std::span<const OrderedNode> Nodes,
                      std::span<const BlockRow> Wanted,
                      const std::function<bool(uint64_t, uint64_t)> &Lacks);

} // namespace blockmaestro

#endif
