// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the ways of making what a launch waits for smaller, each named:
// the mistakes a graph can have that lose a dependence.
// Invariants: a change never adds a pair. Threads: pure.

#ifndef BLOCKMAESTRO_TEST_MUTATION_CHANGES_H
#define BLOCKMAESTRO_TEST_MUTATION_CHANGES_H

#include "Sequence.h"

#include <vector>

namespace blockmaestro::test {

/// One relation of a sequence made smaller.
struct Change {
  const char *Kind = "";
  uint32_t Consumer = 0; ///< The launch whose waits are changed.
  size_t Which = 0;      ///< Among its waits.
  Wait Becomes;
};

/// Every change of every relation that is waited for.
std::vector<Change> changesOf(const WaitLists &Waits);

/// The relation without one of its hazards, once for each place that names it.
std::vector<Relation> withoutHazard(const Relation &R, uint8_t Hazard);

} // namespace blockmaestro::test

#endif
