// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: fewer pieces for the same union of pairs.
// On the data's way: inside Graph, its last step.
// Invariants: the union of pairs, and the hazards of each pair, stay as they
// are. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_SIMPLIFY_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_SIMPLIFY_H

#include "BlockOverlap.h"

#include <vector>

namespace blockmaestro {

/// Drops pieces inside others, joins pieces that touch, and gives equal pieces
/// all of their hazards. Order is kept otherwise.
void simplify(std::vector<BlockOverlap> &Pieces);

bool boxInside(const Box &Inner, const Box &Outer);

/// Whether every pair of Inner is one of Outer; may miss a case.
bool inside(const Piece &Inner, const Piece &Outer);

/// Whether the piece relates every block of one grid to every block of the
/// other.
bool coversAll(const Piece &P, Dim3 ProducerGrid, Dim3 ConsumerGrid);

} // namespace blockmaestro

#endif
