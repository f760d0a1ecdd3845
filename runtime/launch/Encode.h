// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a Relation in the form executors read (Encoding.h).
// On the data's way: Relation -> encode -> executors, recording, dumps.
// Invariants: decoding gives the relation's pairs, exactly, or, where a number
// does not fit 32 bits, all pairs. Pieces keep their order; a list is shared
// with the relation.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_ENCODE_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_ENCODE_H

#include "blockmaestro/BlockGraph.h"
#include "blockmaestro/BlockList.h"
#include "blockmaestro/Encoding.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace blockmaestro {

struct Encoding {
  EncodedRelation Header{};
  std::vector<EncodedPiece> Pieces;
  std::shared_ptr<const BlockList> List; ///< Null unless listed.
  /// What executors read of it; without a list it does not depend on the grids.
  size_t bytes() const {
    return sizeof(Header) + Pieces.size() * sizeof(EncodedPiece) +
           (List ? List->bytes() : 0);
  }
};

Encoding encode(const Relation &What);

} // namespace blockmaestro

#endif
