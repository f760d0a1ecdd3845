// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a relation written out as runs of producer blocks for each
// consumer block: for shapes that pieces cannot say (BlockGraph.h).
// On the data's way: made by runtime/launch/Lists, shared, never copied, by
// relation, encoding, executors and recording; decoded by Encoding.h.
// Invariants: Begin has one more entry than the consumer has blocks, begins
// with 0, never falls, and ends with the number of runs. The runs of one block
// ascend and do not meet; runs that touch have other hazards. Hazards has one
// entry for each run. Threads: immutable once shared.

#ifndef BLOCKMAESTRO_BLOCKLIST_H
#define BLOCKMAESTRO_BLOCKLIST_H

#include "blockmaestro/Encoding.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

struct BlockList {
  std::vector<uint32_t> Begin;
  std::vector<BlockRun> Runs;
  std::vector<uint8_t> Hazards;

  RunLists lists() const { return {Begin.data(), Runs.data()}; }
  /// What executors read of it.
  size_t bytes() const {
    return Begin.size() * sizeof(uint32_t) + Runs.size() * sizeof(BlockRun);
  }
};

} // namespace blockmaestro

#endif
