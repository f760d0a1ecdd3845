// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches one after the other through a window, with what each
// block truly touches. The truth comes from running every thread through its
// formulas; what blocks wait for is data, so that it can be made wrong.
// Invariants: bytes that the same blocks touch in the same way are one
// location, so a sequence has few. Block b of launch l is task First[l] + b.
// Threads: plain values.

#ifndef BLOCKMAESTRO_TEST_MUTATION_SEQUENCE_H
#define BLOCKMAESTRO_TEST_MUTATION_SEQUENCE_H

#include "Builders.h"
#include "Window.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace blockmaestro::test {

/// What a task does at one location.
struct Touch {
  uint32_t Location = 0;
  bool Reads = false;
  bool Writes = false;
};

/// A relation to one earlier launch; Implied ones are not waited for.
struct Wait {
  uint64_t Producer = 0;
  bool Implied = false;
  Relation What;
};

/// By consumer launch.
using WaitLists = std::vector<std::vector<Wait>>;

struct Sequence {
  unsigned Depth = 0;
  std::vector<Dim3> Grids;                 ///< By launch.
  std::vector<uint32_t> First;             ///< By launch; one more at the end.
  std::vector<std::vector<Touch>> Touches; ///< By task.
  uint32_t Locations = 0;
  WaitLists Waits; ///< What the window says.

  uint32_t launches() const { return uint32_t(Grids.size()); }
  uint32_t tasks() const { return First.back(); }
};

/// (consumer task, producer task)
using TaskPair = std::pair<uint32_t, uint32_t>;

/// All launches of Cases through a window of this depth. Equal formulas are
/// launches of one kernel.
Sequence sequenceOf(const std::vector<const Case *> &Cases,
                    const AllocationMap &Known, unsigned Depth);

/// The tasks of different launches that touch the same location, one of them
/// writing, and that the window does not keep apart by itself.
std::vector<TaskPair> truePairs(const Sequence &S);

/// Those of Pairs whose consumer may start before its producer is done, when
/// blocks wait for what Waits says, over any number of others.
std::vector<TaskPair> lost(const Sequence &S, const WaitLists &Waits,
                           const std::vector<TaskPair> &Pairs);

} // namespace blockmaestro::test

#endif
