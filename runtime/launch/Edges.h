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

#include "blockmaestro/BlockList.h"
#include "blockmaestro/Encoding.h"
#include "blockmaestro/Launch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro {

/// The parts of an encoding, wherever they are kept.
struct EncodingView {
  const EncodedRelation &Header;
  std::span<const EncodedPiece> Pieces;
  const BlockList *List = nullptr; ///< Null unless listed.
  Dim3 ConsumerGrid;
};

/// Of anything with a Header, Pieces and a List.
template <typename Parts>
EncodingView viewOf(const Parts &Of, Dim3 ConsumerGrid) {
  return {Of.Header, Of.Pieces, Of.List.get(), ConsumerGrid};
}

/// Fills Out with the producer blocks, ascending, of consumer block Consumer,
/// by linear number.
void producersOfBlock(const EncodingView &Of, uint64_t Consumer,
                      std::vector<uint64_t> &Out);

/// The number of pairs.
uint64_t edgeCount(const EncodingView &Of);

/// Calls Each(consumer, producer), linear block numbers, for every pair once,
/// ascending by consumer, then by producer.
template <typename Callback>
void forEachEdge(const EncodingView &Of, Callback Each) {
  std::vector<uint64_t> Producers;
  for (uint64_t C = 0; C < Of.ConsumerGrid.count(); ++C) {
    producersOfBlock(Of, C, Producers);
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
const char *patternName(const EncodingView &Of);

/// The name with what it was found from.
struct PatternFacts {
  const char *Name = "";
  uint64_t Edges = 0;
  uint64_t MostProducers = 0; ///< Of one consumer.
};

PatternFacts patternOf(const EncodingView &Of);

} // namespace blockmaestro

#endif
