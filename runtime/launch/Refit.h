// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one piece for pairs that are known one by one, where there is
// one.
// On the data's way: inside Lists: a piece takes the same bytes at every grid.
// Invariants: the piece has exactly the pairs of the table. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_REFIT_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_REFIT_H

#include "PairTable.h"

#include <optional>

namespace blockmaestro {

/// Nothing when none is found, or the table is empty. With the hazards of all
/// pairs.
std::optional<Piece> refit(const PairTable &Of);

} // namespace blockmaestro

#endif
