// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the sets of bytes a launch touches, each once, however often its
// kernel reads and writes it.
// On the data's way: between a launch's accesses and its relations to others.
// Invariants: the sets are those of all accesses. Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_UNIQUEACCESSES_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_UNIQUEACCESSES_H

#include "BlockOverlap.h"

#include "blockmaestro/BlockAccess.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

/// The accesses of a launch to one set of bytes.
struct UniqueAccess {
  uint32_t First; ///< Place of the first of them.
  bool Reads, Writes;
  Extent Where;
};

/// May be moved, but not copied: the sets point to Values.
struct TouchedSets {
  std::vector<UniqueAccess> Sets;
  std::vector<WideInterval> Values;

  TouchedSets() = default;
  TouchedSets(TouchedSets &&) = default;
  TouchedSets &operator=(TouchedSets &&) = default;
};

TouchedSets touchesOf(const LaunchAccesses &Of);

} // namespace blockmaestro

#endif
