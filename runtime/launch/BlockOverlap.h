// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the blocks at which one access of an earlier launch and one of a
// later launch touch a common byte.
// On the data's way: inside Graph, for each pair of accesses.
// Invariants: a superset of the true pairs, equal when Exact. Threads: no
// state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_BLOCKOVERLAP_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_BLOCKOVERLAP_H

#include "Affine.h"

#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/BlockGraph.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace blockmaestro {

struct BlockOverlap {
  Piece Where; ///< Without hazards.
  bool Exact = true;
  std::string_view Reason; ///< Why not exact; of an access, or a constant.
};

/// The blocks of an access, and the values that its coordinates have in them.
struct Extent {
  Box Blocks;
  std::span<const WideInterval> Values;
};

/// Appends the values to Values, which has room for them.
Extent extentOf(const BlockAccess &A, Dim3 Grid,
                std::vector<WideInterval> &Values);

/// Nothing when no two blocks of the grids meet. The extents are those of the
/// accesses.
std::optional<BlockOverlap> meet(const BlockAccess &Producer, const Extent &OfP,
                                 const BlockAccess &Consumer, const Extent &OfC,
                                 Dim3 ProducerGrid);

/// The row that lets every block of a dimension of Size blocks through.
QuasiAffine wholeRow(int64_t Size);

} // namespace blockmaestro

#endif
