// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the allocations that the launches in flight on one stream use,
// who used each of them last, and who of those in flight touches what a new
// launch writes or writes what it touches.
// On the data's way: inside Window, at every admission.
// Invariants:
//  - Two sequences of launches whose uses carry the same marks share the same
//    allocations in the same places.
//  - overlapping() is false only when no two different allocations in flight
//    have a byte in common.
//  - What use() costs grows with the allocations of the launch, and only with
//    the logarithm of those in flight, but for moves of plain numbers.
// Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_INUSE_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_INUSE_H

#include "blockmaestro/Launch.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

/// What a launch does to an allocation.
struct MemoryUse {
  bool Reads = false;
  bool Writes = false;
  bool any() const { return Reads || Writes; }
};

class InUse {
public:
  /// So far back launches are told apart by conflicts().
  static constexpr unsigned Furthest = 64;

  /// A launch that touches each of Where once, as Uses says, and any memory at
  /// all as Everywhere says.
  struct Launch {
    const std::vector<Allocation> &Where;
    const std::vector<MemoryUse> &Uses;
    MemoryUse Everywhere;
  };

  /// What comes next is Next; the last Depth launches before it are in flight.
  /// Fills Marks, one for each of its allocations: so many launches ago, and as
  /// its allocation of which number, it was used last; 0 when by none in
  /// flight.
  void use(const Launch &Next, unsigned Depth, std::vector<uint64_t> &Marks);

  bool overlapping() const { return Overlapping; }

  /// Whether the launch so many before the last one used shares an allocation
  /// with it that one of them writes. True for those beyond Furthest.
  bool conflicts(size_t Ago) const {
    return Ago > Furthest || (Conflicts >> (Ago - 1) & 1) != 0;
  }

  /// Whether any of the Count launches before the last one used does.
  bool anyConflict(size_t Count) const {
    if (Count >= Furthest)
      return Count > Furthest || Conflicts != 0;
    return (Conflicts & ((uint64_t(1) << Count) - 1)) != 0;
  }

private:
  /// One bit for each of the last launches, the newest lowest.
  struct History {
    uint64_t Reads = 0;
    uint64_t Writes = 0;
    void add(MemoryUse What, uint64_t After);
  };
  struct Entry {
    uint64_t Bytes = 0;
    uint64_t Launch = 0; ///< That used it last; 0 is none.
    uint32_t Slot = 0;   ///< As this allocation.
    History Users;       ///< Up to then.
  };
  /// An allocation of the launch without an entry, and its place.
  struct Missing {
    size_t Place;
    uint32_t Slot;
  };

  size_t placeOf(const Allocation &What) const;
  void find(const std::vector<Allocation> &Where);
  void addMissing(const std::vector<Allocation> &Where);
  uint32_t newEntry(uint64_t Bytes);
  void dropOld(unsigned Depth);
  bool overlapsNext(size_t Place) const;
  bool anyOverlap() const;
  void noteEverywhere(const Launch &Next);

  std::vector<uint64_t> Bases;  ///< Ascending; those of one base by bytes.
  std::vector<uint32_t> Number; ///< Of the entry of each.
  std::vector<Entry> Entries;   ///< In no order.
  std::vector<uint32_t> Free;   ///< Entries that are none.
  std::vector<uint32_t> Mine;   ///< Entries of one launch.
  std::vector<Missing> New;     ///< Of one launch.
  History Any;                  ///< Of what any memory.
  History Everywhere;           ///< Of those that may touch all memory.
  uint64_t Conflicts = 0;
  size_t DropAbove = 16; ///< More than this are looked through.
  uint64_t Now = 0;
  bool Overlapping = false;
};

} // namespace blockmaestro

#endif
