// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the pairs of a relation found block by block, for what pieces
// cannot say because of the shape of the blocks only: divided or flattened
// block indices, conditions across several block dimensions, rows of other
// slopes, memory walked in different shapes.
// On the data's way: inside Graph, its last step, where pieces are not exact.
// Invariants: the relation stays a superset of the true pairs and gets no pair
// it did not have. The work is bounded by counts, never by a clock, so that
// equal launches get equal relations. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_LISTS_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_LISTS_H

#include "BlockBytes.h"

#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/BlockGraph.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

/// Launches of more blocks, together, are not looked at block by block.
inline constexpr uint64_t MostListedBlocks = 4096;

/// Makes R, the relation of the two, closer where that pays: exact as it is, in
/// pieces of its own or among Pieces, or a list. ByShape says that pieces were
/// not exact for another reason than that an access of P or C was not. The work
/// is taken from Effort; where it ends the relation stays as it is.
void refine(Relation &R, const Seen &P, const Seen &C,
            const std::vector<Piece> &Pieces, bool ByShape, uint64_t &Effort);

} // namespace blockmaestro

#endif
