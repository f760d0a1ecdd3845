// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a set of addresses that grows access by access, kept as ranges.
// On the data's way: filled by GraphCheck with what one block touches.
// Invariants: what ranges() gives is ascending, and no two ranges meet.
// Threads: the owner's.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_BYTESET_H
#define BLOCKMAESTRO_RUNTIME_CHECK_BYTESET_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace blockmaestro {

struct ByteRange {
  uint64_t First = 0;
  uint64_t End = 0; ///< One past the last.
  bool operator==(const ByteRange &) const = default;
};

class ByteSet {
public:
  void add(uint64_t Address, uint64_t Bytes);
  /// What has been added; cheap when nothing was since the last time.
  const std::vector<ByteRange> &ranges();
  /// The same of a set to which nothing has been added since ranges().
  const std::vector<ByteRange> &settled() const { return Sorted; }

private:
  void merge();

  std::vector<ByteRange> Sorted;
  std::vector<ByteRange> Recent; ///< In the order added.
};

/// The lowest byte that both have; both are settled.
std::optional<uint64_t> firstCommon(const ByteSet &A, const ByteSet &B);

} // namespace blockmaestro

#endif
