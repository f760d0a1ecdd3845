// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: pieces for pairs that are known one by one, where there are some.
// On the data's way: inside Lists: a piece takes the same bytes at every grid.
// Invariants: the pieces have exactly the pairs of the table. Threads: no
// state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_REFIT_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_REFIT_H

#include "PairTable.h"

#include <optional>

namespace blockmaestro {

/// One piece. Nothing when none is found, or the table is empty. With the
/// hazards of all pairs.
std::optional<Piece> refit(const PairTable &Of);

/// Those of Some that have no other pairs, and one more for what they miss.
/// None when that is not found.
std::vector<Piece> refit(const PairTable &Of, const std::vector<Piece> &Some);

} // namespace blockmaestro

#endif
