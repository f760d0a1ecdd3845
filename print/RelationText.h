// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: relations and their encodings as text: formulas over block
// numbers. "p.x in [c.x-1, c.x+1], p.y = c.y for c in [0..15]x[0..8]".
// On the data's way: shows what runtime/launch made, from a recording; used by
// bm-dump.
// Invariants: dimensions in which both grids are 1 are left out. Threads: no
// state.

#ifndef BLOCKMAESTRO_PRINT_RELATIONTEXT_H
#define BLOCKMAESTRO_PRINT_RELATIONTEXT_H

#include "blockmaestro/Encoding.h"
#include "blockmaestro/Launch.h"

#include <string>

namespace blockmaestro {

/// "RAW", "RAW+WAR"; "none" without any.
std::string hazardsText(uint8_t Hazards);

/// "16x9", "40"; as many dimensions as are not 1.
std::string gridText(Dim3 Grid);

/// "7" in a grid of one dimension, else "(7,2)" or "(7,2,0)".
std::string blockText(uint64_t Linear, Dim3 Grid);

/// One line, without a line break. The producer's box is only said where it is
/// not the whole grid.
std::string toText(const EncodedPiece &P, Dim3 ProducerGrid, Dim3 ConsumerGrid);

} // namespace blockmaestro

#endif
