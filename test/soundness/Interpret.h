// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: runs a kernel of ours thread by thread, in C++'s arithmetic, and
// notes every byte each block touches: the truth of the property test.
// On the data's way: tests only; beside the compiler, not behind it.
// Invariants: a launch whose program is undefined (signed overflow, a pointer
// out of its array, a misaligned access) or too long says so and has no truth.
// Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_INTERPRET_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_INTERPRET_H

#include "Bytes.h"
#include "Program.h"

#include "blockmaestro/Footprint.h"
#include "blockmaestro/Launch.h"

#include <map>
#include <tuple>

namespace blockmaestro::soundness {

/// One launch of a kernel, and what its arrays hold.
struct LaunchCase {
  Dim3 Grid, Block;
  std::vector<Wide> Scalars;
  uint32_t Contents = 0;   ///< Seed of what the tables hold.
  bool WildTables = false; ///< They hold any bits, else small numbers.
};

/// Bytes before and after an array's first element that belong to it.
struct Extent {
  int64_t Low = 0;
  int64_t High = 0; ///< Exclusive.
};
/// Half of the allocation a pointer argument points into the middle of.
inline constexpr int64_t HalfAllocation = int64_t(1) << 39;
Extent extentOf(const ArrayInfo &A);

/// Where a launch's pointers into an array have been, and what its first
/// element's address must be a multiple of.
struct Spread {
  Extent Within;
  Extent Touched = {INT64_MAX, INT64_MIN};
  int64_t Align = 1;
};

struct Touch {
  unsigned Array;
  AccessKind Kind;
  unsigned Line; ///< Of the statement in print()'s text.
  bool operator<(const Touch &O) const {
    return std::tie(Array, Kind, Line) < std::tie(O.Array, O.Kind, O.Line);
  }
};
using BlockTruth = std::map<Touch, Bytes>;

enum class Outcome { Done, Undefined, TooLong };

/// What else is to be known of a launch.
struct Watched {
  std::vector<Spread> Arrays; ///< By number.
  bool AskWraps = false;      ///< For kernels that fetch and call nothing.
  /// Whether something compared, or added to a pointer, is another number than
  /// integers without bounds give; where that was asked.
  bool Wraps = false;
};

/// Fills Blocks with what each block of L touches, by linear block number, and
/// Watch unless it is null, which takes longer.
Outcome interpret(const Kernel &K, const LaunchCase &L,
                  std::vector<BlockTruth> &Blocks, Watched *Watch = nullptr);

} // namespace blockmaestro::soundness

#endif
