// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: numbers by 64-bit keys in the order of these: sorted leaves of
// some hundred bytes, found by a sorted list of where each begins. Keys that
// come in order, as those of tiles do, fill leaves whole.
// On the data's way: inside LastUses: first bytes -> segments.
// Invariants: keys are there once. No leaf but the only one is empty.
// Ownership: owns the leaves, which it keeps. Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_SEGMENTINDEX_H
#define BLOCKMAESTRO_RUNTIME_TASKS_SEGMENTINDEX_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace blockmaestro {

class SegmentIndex {
public:
  static constexpr uint32_t None = UINT32_MAX;

  /// What has the greatest key that is Key or below, and what has the smallest
  /// key above Key; None where there is none.
  struct Neighbours {
    uint32_t Floor = None;
    uint32_t Above = None;
  };
  Neighbours around(uint64_t Key) const;
  uint32_t above(uint64_t Key) const { return around(Key).Above; }
  /// The key is not there.
  void insert(uint64_t Key, uint32_t Value);
  /// The key is there.
  void erase(uint64_t Key);

  void clear();
  size_t size() const { return Count; }

private:
  static constexpr uint32_t Room = 64;
  struct Leaf {
    uint32_t Size;
    uint32_t Values[Room];
    uint64_t Keys[Room];

    /// How many of its keys are Key or below.
    uint32_t rankOf(uint64_t Key) const;
    void insert(uint32_t At, uint64_t Key, uint32_t Value);
    void erase(uint32_t At);
  };

  size_t leafOf(uint64_t Key) const;
  std::unique_ptr<Leaf> takeLeaf();
  void addLeaf(size_t At, uint64_t Begin, std::unique_ptr<Leaf> New);
  void split(size_t At, uint32_t Rank);

  /// Keys of leaf I are at Begins[I] or above, and below Begins[I + 1]; the
  /// first begins at 0.
  std::vector<uint64_t> Begins;
  std::vector<std::unique_ptr<Leaf>> Leaves;
  std::vector<std::unique_ptr<Leaf>> Spare;
  size_t Count = 0;
  mutable size_t LastLeaf = 0; ///< That was looked into; there may be none.
};

} // namespace blockmaestro

#endif
