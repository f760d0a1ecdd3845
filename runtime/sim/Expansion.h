// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a recorded relation as lists of children and counts of parents,
// the form the simulated hardware works on.
// On the data's way: inside runtime/sim, made once for each distinct relation
// of a recording.
// Invariants: an edge (parent, child) is there once however many pieces have
// it; children ascend. A relation that is Full, or has a block with more
// parents than a counter can count, is KernelLevel and has no lists.
// Ownership and threads: plain value; immutable once built.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_EXPANSION_H
#define BLOCKMAESTRO_RUNTIME_SIM_EXPANSION_H

#include "blockmaestro/Recording.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro::sim {

struct Expansion {
  bool KernelLevel = false;
  /// The children of a block can be computed: a closed form in which each
  /// dimension of the producer follows one of the consumer at most.
  bool Decodes = false;
  uint32_t MostParents = 0;
  std::vector<uint32_t> Begin;    ///< Per parent, and one past the last.
  std::vector<uint32_t> Children; ///< Of all parents, one after the other.
  std::vector<uint16_t> Parents;  ///< Per child, how many.
  /// Where a block has more parents than a counter can count, and only there:
  /// the parents of each child, for those whom counters do not bind. At most
  /// MaxRuns in all; where they are more, each child's first.
  std::vector<uint32_t> RunBegin; ///< Per child, and one past the last.
  std::vector<BlockRun> Runs;

  static constexpr size_t MaxRuns = size_t(1) << 24;

  bool hasRuns() const { return !RunBegin.empty(); }

  /// Whether no block waits for any.
  bool independent() const { return !KernelLevel && MostParents == 0; }

  /// Of a relation that is not KernelLevel.
  std::span<const uint32_t> childrenOf(uint32_t Parent) const {
    return {Children.data() + Begin[Parent],
            Children.data() + Begin[Parent + 1]};
  }

  /// Adds to what each child still waits for its parents that are not done.
  template <typename Counts, typename Flags>
  void addOpen(Counts &Pending, const Flags &Done) const {
    for (size_t Child = 0; Child < Pending.size(); ++Child)
      Pending[Child] += Parents[Child];
    for (uint32_t Parent = 0; Parent < Done.size(); ++Parent)
      if (Done[Parent])
        for (uint32_t Child : childrenOf(Parent))
          --Pending[Child];
  }
};

Expansion expand(const RecordedRelation &What, Dim3 ConsumerGrid,
                 uint32_t MaxParents);

} // namespace blockmaestro::sim

#endif
