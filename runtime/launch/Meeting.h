// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the blocks at which one access of an earlier launch and one of a
// later launch touch a common byte.
// On the data's way: inside Graph, for each pair of accesses.
// Invariants: a superset of the true pairs, equal when Exact. Threads: no
// state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_MEETING_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_MEETING_H

#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/BlockGraph.h"

#include <optional>
#include <string>

namespace blockmaestro {

struct Meeting {
  Piece Where; ///< Without hazards.
  bool Exact = true;
  std::string Reason; ///< Why not exact.
};

/// Nothing when no two blocks of the grids meet.
std::optional<Meeting> meet(const BlockAccess &Producer,
                            const BlockAccess &Consumer, Dim3 ProducerGrid,
                            Dim3 ConsumerGrid);

/// The row that lets every block of a dimension of Size blocks through.
QuasiAffine wholeRow(int64_t Size);

} // namespace blockmaestro

#endif
