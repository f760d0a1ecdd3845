// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the bytes of one access as one or several BlockAccesses: several
// where that says more, like the whole and the last, ragged round of a loop.
// On the data's way: inside Evaluate, after the guards have numbers, around
// Narrow and Coordinates.
// Invariants: the union is a superset of what the access touches, and equal to
// it when each is exact. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_PARTS_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_PARTS_H

#include "Coordinates.h"
#include "IndexSpace.h"

#include "blockmaestro/BlockAccess.h"

#include <vector>

namespace blockmaestro {

/// What there is to say in coordinates about one access.
struct PartsOf {
  const IndexSpace &Indices;
  const Affine &Offset; ///< In bytes, from the allocation's base.
  uint32_t ElementBytes;
  const BlockAccess &Like; ///< Everything but blocks, coordinates and bytes.
  size_t Most;             ///< No more BlockAccesses than this; at least 1.
};

/// Appends the access for the indices in Box, which the guards have narrowed,
/// that meet the guards. Appends nothing when there are none.
void makeParts(const PartsOf &What, const Guards &Conditions,
               const IndexBox &Box, std::vector<BlockAccess> &Out);

/// Sets the blocks that make the access to those of Box.
void setBlocks(const IndexBox &Box, BlockAccess &Out);

} // namespace blockmaestro

#endif
