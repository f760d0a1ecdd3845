// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the bytes each single block of a launch touches, as runs: with
// blockIdx fixed nearly every footprint is affine and exact.
// On the data's way: inside Graph, between LaunchAccesses and Lists, only for
// relations that coordinates affine in blockIdx cannot say.
// Invariants:
//  - The runs cover what each block touches. A run that may hold a byte the
//    block does not touch is not Sure.
//  - The work has a bound; beyond it there is no answer.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_BLOCKBYTES_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_BLOCKBYTES_H

#include "UniqueAccesses.h"

#include "blockmaestro/BlockAccess.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace blockmaestro {

/// Addresses First to Last, which block Block reads or writes.
struct ByteRun {
  uint64_t First = 0;
  uint64_t Last = 0;
  uint32_t Block = 0; ///< By linear number.
  bool Reads = false;
  bool Writes = false;
  bool Sure = true;
};

/// Fills Out with the runs of all blocks, by ascending First. Takes the work
/// from Effort: the runs looked at, before those that touch are joined, and
/// some for each block. False when that is not enough.
bool runsOf(const LaunchAccesses &Of, std::vector<ByteRun> &Out,
            uint64_t &Effort);

/// What has been found of one launch, which is always the same one: looked at
/// when first asked for.
class LaunchFindings {
public:
  const std::vector<UniqueAccess> &touches(const LaunchAccesses &Of);

  /// Whether single blocks say more than all together: whether one of the
  /// accesses that narrow is exact for a few blocks.
  bool sayMore(const LaunchAccesses &Of);

  /// As runsOf(). Null when Effort is not enough.
  const std::vector<ByteRun> *runs(const LaunchAccesses &Of, uint64_t &Effort);

private:
  std::optional<TouchedSets> Touches;
  std::optional<bool> More;
  std::optional<std::vector<ByteRun>> Runs;
};

/// A launch's accesses, with what has been found of them.
struct Seen {
  const LaunchAccesses &Touched;
  LaunchFindings &Found;
};

} // namespace blockmaestro

#endif
