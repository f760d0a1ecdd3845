// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: an encoding spelled out as pairs of blocks, and the name of its
// pattern.
// On the data's way: read by bm-dump, the reports, the simulator and tests;
// never on the launch path, since the cost grows with the grid.
// Invariants: the pairs are those that producersOf (Encoding.h) gives, each
// once. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_EDGES_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_EDGES_H

#include "blockmaestro/Encoding.h"
#include "blockmaestro/Launch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro {

/// Fills Out with the producer blocks, ascending, of consumer block Consumer.
void producersOfBlock(const EncodedRelation &Header,
                      std::span<const EncodedPiece> Pieces, Dim3 Consumer,
                      std::vector<uint64_t> &Out);

/// Calls Each(consumer, producer), linear block numbers, for every pair once,
/// ascending by consumer, then by producer.
template <typename Callback>
void forEachEdge(const EncodedRelation &Header,
                 std::span<const EncodedPiece> Pieces, Dim3 ConsumerGrid,
                 Callback Each) {
  std::vector<uint64_t> Producers;
  for (uint64_t C = 0; C < ConsumerGrid.count(); ++C) {
    producersOfBlock(Header, Pieces, blockOf(C, ConsumerGrid), Producers);
    for (uint64_t P : Producers)
      Each(C, P);
  }
}

/// The pattern by the true degrees, after Table I of the BlockMaestro paper:
///   independent  no pairs
///   1-to-1       no block has two partners
///   1-to-n       no consumer has two producers
///   n-to-1       no producer has two consumers
///   full         every pair
///   n-group      consumers that share a producer share all of them
///   overlapped   neighbouring consumers share some producers
///   irregular    anything else
/// The first that holds.
const char *patternName(const EncodedRelation &Header,
                        std::span<const EncodedPiece> Pieces,
                        Dim3 ConsumerGrid);

} // namespace blockmaestro

#endif
