// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the pairs of blocks of two launches, one by one, each with its
// hazards.
// On the data's way: inside Graph, between Lists, which fills it, and Refit.
// Invariants: a pair that is not in the relation is 0. Rows are consumers, by
// linear number. Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_PAIRTABLE_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_PAIRTABLE_H

#include "blockmaestro/BlockGraph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro {

class PairTable {
public:
  /// A pair's bits are its hazards and this one: some byte makes it for
  /// certain.
  static constexpr uint8_t Sure = 8;
  static constexpr uint8_t AnyHazard = HazardRAW | HazardWAR | HazardWAW;

  PairTable(Dim3 ProducerGrid, Dim3 ConsumerGrid)
      : ProducerGrid(ProducerGrid), ConsumerGrid(ConsumerGrid),
        Bits(ProducerGrid.count() * ConsumerGrid.count()) {}

  std::span<uint8_t> row(uint64_t Consumer) {
    return std::span(Bits).subspan(Consumer * producers(), producers());
  }
  std::span<const uint8_t> row(uint64_t Consumer) const {
    return std::span(Bits).subspan(Consumer * producers(), producers());
  }
  uint64_t producers() const { return ProducerGrid.count(); }
  uint64_t consumers() const { return ConsumerGrid.count(); }
  std::span<const uint8_t> all() const { return Bits; }

  const Dim3 ProducerGrid;
  const Dim3 ConsumerGrid;

private:
  std::vector<uint8_t> Bits;
};

} // namespace blockmaestro

#endif
