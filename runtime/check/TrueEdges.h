// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which blocks of two launches share a byte that one of them
// writes, from the bytes that each block really touched.
// On the data's way: GraphCheck compares it with the relation. Knows nothing of
// footprints and strides.
// Invariants: an index lists for every byte all blocks that touched it, each
// once. Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_TRUEEDGES_H
#define BLOCKMAESTRO_RUNTIME_CHECK_TRUEEDGES_H

#include "BlockRow.h"
#include "ByteSet.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

/// What one block has touched; an atomic reads and writes. Those of tasks are
/// apart: the program orders two of them itself.
struct BlockTouches {
  ByteSet Reads;
  ByteSet Writes;
  ByteSet Atomics;
  bool IsTask = false;
};

/// Which blocks touched a byte, for the bytes that any block did.
class ByteIndex {
public:
  /// Of the settled set that \p Which picks of every block.
  ByteIndex(const std::vector<BlockTouches> &Blocks,
            ByteSet BlockTouches::*Which);

  /// Calls Each(set) for the sets of blocks that touched a byte of \p Asked, a
  /// set maybe several times.
  template <typename Callback>
  void forEachSet(const ByteSet &Asked, Callback Each) const;

  const std::vector<uint32_t> &blocks(uint32_t Set) const { return Sets[Set]; }
  size_t setCount() const { return Sets.size(); }

private:
  struct Segment {
    uint64_t First = 0;
    uint64_t End = 0;
    uint32_t Set = 0;
  };
  std::vector<Segment> Segments; ///< Ascending and disjoint.
  std::vector<std::vector<uint32_t>> Sets;
};

/// Of an earlier launch: what its blocks touched, to be asked block by block of
/// a later one.
class TrueEdges {
public:
  /// \p Producer is settled and outlives this.
  explicit TrueEdges(const std::vector<BlockTouches> &Producer);

  /// The hazards (HazardRAW, ...) between the blocks of the producer and a
  /// block that touched \p Consumer. Ends with the next call.
  const BlockRow &row(const BlockTouches &Consumer);

private:
  void mark(const ByteSet &Asked, const ByteIndex &Of,
            std::vector<uint64_t> &Seen, uint8_t Hazard);

  ByteIndex Reads;
  ByteIndex Writes;
  ByteIndex Atomics;
  /// By set: when last.
  std::vector<uint64_t> SeenReads, SeenWrites, SeenAtomics;
  std::vector<uint8_t> Hazards; ///< By block; 0 between rows.
  std::vector<uint32_t> Marked; ///< Those that are not 0.
  uint64_t Now = 0;
  BlockRow Row;
};

} // namespace blockmaestro

#endif
