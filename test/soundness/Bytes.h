// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a set of byte offsets, as disjoint ranges.
// On the data's way: tests only; what everything is compared in.
// Invariants: after normalise() the ranges are sorted and do not touch; the
// questions are asked of normalised sets only.
// Threads: values.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_BYTES_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_BYTES_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace blockmaestro::soundness {

class Bytes {
public:
  /// Low and High inclusive; nothing when High < Low.
  void add(int64_t Low, int64_t High);
  void add(const Bytes &Other);
  void normalise();

  bool empty() const { return Ranges.empty(); }
  uint64_t count() const;
  bool contains(int64_t Offset) const;
  /// The lowest byte of this that Other has not.
  std::optional<int64_t> firstOutside(const Bytes &Other) const;

  const std::vector<std::pair<int64_t, int64_t>> &ranges() const {
    return Ranges;
  }

private:
  std::vector<std::pair<int64_t, int64_t>> Ranges; ///< Inclusive.
  size_t Most = 4096; ///< Ranges before they are normalised.
};

} // namespace blockmaestro::soundness

#endif
