// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the allocations that the launches in flight use, who used each of
// them last, and who of those in flight touches what a new launch writes or
// writes what it touches.
// On the data's way: inside Window, at every admission.
// Invariants:
//  - Two sequences of launches whose uses carry the same marks share the same
//    allocations in the same places.
//  - overlapping() is whether two different allocations of those in flight and
//    of the last launch have a byte in common.
//  - What use() costs grows with the allocations of the launch, and only with
//    the logarithm of those in flight. See Note [Where ranges are found].
// Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_ALLOCATIONUSEINDEX_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_ALLOCATIONUSEINDEX_H

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

class AllocationUseIndex {
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

  /// No launch so far is in flight. What is asked later is asked of launches
  /// from here on only.
  void clear() { Begin = Now + 1; }

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
    Allocation Where;
    uint64_t Launch = 0;          ///< That used it last; 0 is none.
    uint32_t Slot = 0;            ///< As this allocation.
    uint32_t Other = ~uint32_t(); ///< An entry of this base and another size.
    History Users;                ///< Up to then.
  };
  /// Neighbours among the entries, one for each base.
  struct Leaf {
    static constexpr uint32_t Most = 15;
    /// With more that are in flight a full one is divided.
    static constexpr uint32_t Dense = 11;
    static constexpr uint32_t Fill = 8; ///< When all are made anew.
    struct Place {
      uint64_t Base = ~uint64_t(); ///< Those without an entry are the highest.
      uint64_t Number = 0; ///< Of an entry; so long to be moved at once.
    };
    uint32_t Count = 0;
    /// Ascending. Those behind the last one that may have an entry are there
    /// for insert(), which moves eight at a time.
    Place Places[Most + 9];

    uint32_t find(uint64_t Base) const;
    void insert(uint32_t At, Place What);
    void cut(uint32_t Kept);
  };

  bool stale(const Entry &E) const { return E.Launch < Oldest; }
  size_t leafOf(uint64_t Base) const;
  uint32_t newNumber();
  Entry &sameBase(size_t Number, const Allocation &What);
  uint64_t useAgain(Entry &Of, MemoryUse Mine, uint32_t Slot);
  void useNew(size_t Which, uint32_t At, const Allocation &What, MemoryUse Mine,
              uint32_t Slot);
  uint64_t useOne(const Allocation &What, MemoryUse Mine, uint32_t Slot);
  void noteNeighbours(size_t Which, uint32_t At, const Allocation &What);
  void makeRoom(size_t Which);
  uint32_t dropStale(size_t Number);
  void dropAllStale();
  bool anyOverlap() const;
  void noteEverywhere(MemoryUse OfNext, MemoryUse Placed);

  std::vector<Leaf> Leaves{1};     ///< Ascending; none empty but the only one.
  std::vector<uint64_t> Firsts{0}; ///< No base of a leaf is below its first.
  std::vector<Leaf> Spare;         ///< Leaves to be.
  size_t Stored = 0;               ///< In Leaves.
  size_t DropAbove = 64;           ///< More than this are looked through.
  std::vector<Entry> Entries;      ///< In no order.
  std::vector<uint32_t> Free;      ///< As long; the first FreeCount are none.
  size_t FreeCount = 0;
  History Any;        ///< Of what any memory.
  History Everywhere; ///< Of those that may touch all memory.
  uint64_t Conflicts = 0;
  uint64_t Now = 0;
  uint64_t Begin = 1;  ///< No launch before it is in flight.
  uint64_t Oldest = 0; ///< In flight.
  bool Overlapping = false;
};

} // namespace blockmaestro

#endif
