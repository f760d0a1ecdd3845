// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the truth the tests compare with: every thread of every block is
// run through the formulas, every byte is noted, and the pairs of blocks are
// those that share a byte one of them writes. Knows nothing of strides.

#ifndef BLOCKMAESTRO_TEST_UNIT_LAUNCH_ORACLE_H
#define BLOCKMAESTRO_TEST_UNIT_LAUNCH_ORACLE_H

#include "Builders.h"

#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/BlockGraph.h"

#include <set>
#include <utility>
#include <vector>

namespace blockmaestro::test {

/// (byte address, linear block), ascending, each once.
using Touches = std::vector<std::pair<uint64_t, uint64_t>>;
/// (consumer block, producer block)
using Pairs = std::set<std::pair<uint64_t, uint64_t>>;

/// What access number Access of the case touches.
Touches touchesOf(const Case &What, size_t Access);

/// What a BlockAccess of a launch says is touched, inside its allocation.
Touches touchesOf(const BlockAccess &What, Dim3 Grid);

/// The blocks that must wait, for the hazards in Which.
Pairs truePairs(const Case &Producer, const Case &Consumer,
                uint8_t Which = HazardRAW | HazardWAR | HazardWAW);

/// The pairs of a relation by its definition in BlockGraph.h, one by one.
Pairs pairsOf(const Relation &R);
/// Those of the pieces with one of the hazards in Which.
Pairs pairsOf(const Relation &R, uint8_t Which);

/// The pairs of the relation's encoding.
Pairs encodedPairsOf(const Relation &R);

/// Evaluates both and relates them.
Relation relateCases(const Case &Producer, const Case &Consumer,
                     const AllocationMap &Known);

} // namespace blockmaestro::test

#endif
