// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the hazards between one block and the blocks of another launch,
// those that have none left out.
// On the data's way: what GraphCheck compares, of the truth and of a relation.
// Invariants: a row is as long as the pairs that are not with every block, so
// that launches of many blocks cost what they share. Threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_BLOCKROW_H
#define BLOCKMAESTRO_RUNTIME_CHECK_BLOCKROW_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

struct BlockHazards {
  uint32_t Block = 0; ///< By linear number.
  uint8_t Hazards = 0;
  bool operator==(const BlockHazards &) const = default;
};

struct BlockRow {
  uint8_t All = 0;                ///< With every block.
  std::vector<BlockHazards> Some; ///< Beyond those, ascending, each block once.

  void clear() {
    All = 0;
    Some.clear();
  }
  uint8_t hazards() const {
    uint8_t Out = All;
    for (const BlockHazards &Each : Some)
      Out |= Each.Hazards;
    return Out;
  }
  /// The blocks with a hazard, of so many.
  size_t count(size_t Blocks) const { return All ? Blocks : Some.size(); }
};

/// Reads a row from the first block to the last.
class RowReader {
public:
  explicit RowReader(const BlockRow &Row) : Row(Row) {}

  /// The hazards with \p Block, which is no earlier than the one before.
  uint8_t at(uint64_t Block) {
    while (Next < Row.Some.size() && Row.Some[Next].Block < Block)
      ++Next;
    const bool Here = Next < Row.Some.size() && Row.Some[Next].Block == Block;
    return Row.All | (Here ? Row.Some[Next].Hazards : 0);
  }
  /// The first block of Some that is at \p Block or behind it; None, if any.
  uint64_t next(uint64_t Block) {
    (void)at(Block);
    return Next < Row.Some.size() ? Row.Some[Next].Block : None;
  }

  static constexpr uint64_t None = ~uint64_t(0);

private:
  const BlockRow &Row;
  size_t Next = 0;
};

} // namespace blockmaestro

#endif
