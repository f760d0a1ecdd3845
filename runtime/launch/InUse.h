// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the allocations that the launches in flight on one stream use,
// and who used each of them last.
// On the data's way: inside Window, at every admission.
// Invariants:
//  - Two sequences of launches whose uses carry the same marks share the same
//    allocations in the same places.
//  - overlapping() is false only when no two different allocations in flight
//    have a byte in common.
//  - An allocation keeps its name as long as a launch in flight uses it.
// Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_INUSE_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_INUSE_H

#include "blockmaestro/Launch.h"

#include <array>
#include <cstdint>
#include <vector>

namespace blockmaestro {

/// A set of names.
class NameSet {
public:
  static constexpr unsigned Most = 512;
  void add(unsigned Name) { Words[Name / 64] |= uint64_t(1) << Name % 64; }
  void remove(unsigned Name) {
    Words[Name / 64] &= ~(uint64_t(1) << Name % 64);
  }
  void addAll() { Words.fill(~uint64_t(0)); }
  /// Whether they meet; names from Limit on are in neither, or in both.
  bool meets(const NameSet &Other, unsigned Limit) const {
    uint64_t Any = 0;
    for (size_t I = 0; I * 64 < Limit; ++I)
      Any |= Words[I] & Other.Words[I];
    return Any != 0;
  }
  /// One that is not in it; Most when all are.
  unsigned firstFree() const;

private:
  std::array<uint64_t, Most / 64> Words{};
};

class InUse {
public:
  /// What is said of one allocation of a launch.
  struct Mark {
    /// So many launches ago, and as its allocation of which number, it was
    /// used last; 0 when by none in flight.
    uint64_t LastUse = 0;
    unsigned Name = NameSet::Most; ///< Most: there are no more names.
  };

  /// The next launch uses Where, each once; the last Depth launches before it
  /// are in flight. Fills Marks, one for each of Where.
  void use(const std::vector<Allocation> &Where, unsigned Depth,
           std::vector<Mark> &Marks);

  bool overlapping() const { return Overlapping; }
  /// No name in use is this or above.
  unsigned nameLimit() const { return NameLimit; }

private:
  struct Entry {
    Allocation What;
    uint64_t Launch = 0; ///< That used it last.
    uint32_t Slot = 0;   ///< As this allocation.
    uint32_t Name = NameSet::Most;
  };
  static bool before(const Allocation &A, const Allocation &B) {
    return A.Base != B.Base ? A.Base < B.Base : A.Bytes < B.Bytes;
  }
  size_t placeOf(const Allocation &What) const;
  bool find(const std::vector<Allocation> &Where);
  void addNew(const std::vector<Allocation> &Where);
  void dropOld(unsigned Depth);
  bool anyOverlap() const;

  std::vector<Entry> Entries; ///< Sorted.
  std::vector<Entry> New;     ///< Of one call; kept for its memory.
  std::vector<size_t> Places; ///< Where among Entries, likewise.
  NameSet Names;
  unsigned NameLimit = 1; ///< Never 0: sets of all names meet.
  size_t DropAbove = 16; ///< More entries than this are looked through.
  uint64_t Now = 0;
  bool Overlapping = false;
};

} // namespace blockmaestro

#endif
