// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: an encoding as few bytes, for keeping a whole program's graph:
// told relative to the two grids, so that one pattern at two sizes of grid has
// the same bytes.
// On the data's way: encoding -> pack -> storage tables; unpack gives what
// executors read. docs/encoding.md has the format.
// Invariants: unpacking gives the pairs of the encoding, not always in the same
// pieces. Hazards are not kept. Bytes that are no packing are refused. Threads:
// no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_PACK_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_PACK_H

#include "Edges.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace blockmaestro {

/// The parts of an encoding, without hazards.
struct Unpacked {
  EncodedRelation Header{};
  std::vector<EncodedPiece> Pieces;
  std::shared_ptr<const BlockList> List; ///< Null unless listed.
};

std::vector<uint8_t> pack(const EncodingView &Of);

/// Nothing when Bytes are no packing of a relation of these grids.
std::optional<Unpacked> unpack(std::span<const uint8_t> Bytes,
                               Dim3 ProducerGrid, Dim3 ConsumerGrid);

} // namespace blockmaestro

#endif
