// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a piece of a relation as few bytes: told relative to the two
// grids, so that one pattern at two sizes of grid has the same bytes.
// On the data's way: inside runtime/record, part of RelationBody. The bytes are
// docs/recording.md.
// Invariants: a piece that comes back gives every consumer block the producers
// that it gave before, though not always in the same numbers; what makes no
// difference is not told. What has been read fits the two grids, whatever the
// bytes. Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_PIECEFORM_H
#define BLOCKMAESTRO_RUNTIME_RECORD_PIECEFORM_H

#include "Format.h"

#include "blockmaestro/Encoding.h"
#include "blockmaestro/Launch.h"

namespace blockmaestro::record {

/// What the piece P of a relation of these grids says, and its hazards.
void writePiece(ByteWriter &To, const EncodedPiece &P, uint8_t Hazards,
                Dim3 ProducerGrid, Dim3 ConsumerGrid);

/// False when the bytes are no piece of these grids.
bool readPiece(ByteReader &From, Dim3 ProducerGrid, Dim3 ConsumerGrid,
               EncodedPiece &P, uint8_t &Hazards);

} // namespace blockmaestro::record

#endif
