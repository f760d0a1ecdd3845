// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Who meets whom]
// ~~~~~~~~~~~~~~~~~~~~~
// With each allocation go two words: which of the launches up to its last use
// read it, and which wrote it, the one of the last use lowest. A launch D later
// moves them up by D, so nothing has to be done when a launch leaves. The ones
// that a new launch may have to wait for are the union of few words.
//
// Note [Where ranges are found]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The bases in flight are sorted, as an overlap is one of neighbours. They lie
// in leaves of at most 15: a leaf is found by halving among their first bases,
// a base by four steps within the leaf, and a new one moves only those of its
// leaf. None of this has a branch that depends on the addresses.
//
// What no launch in flight uses any more stays until its leaf is full, or until
// there are several times as many as were in flight: so leaving costs little,
// and one that comes back is there. It counts for no overlap: when two ranges
// meet, all that is stale is dropped before it is said.

#include "AllocationUseIndex.h"

#include <algorithm>

namespace blockmaestro {

static constexpr uint32_t None = ~uint32_t(0);

/// Moves the bits of History up by Launches.
static uint64_t older(uint64_t History, uint64_t Launches) {
  return Launches < AllocationUseIndex::Furthest ? History << Launches : 0;
}

void AllocationUseIndex::History::add(MemoryUse What, uint64_t After) {
  Reads = older(Reads, After) | uint64_t(What.Reads);
  Writes = older(Writes, After) | uint64_t(What.Writes);
}

/// The first place that is not below Base.
uint32_t AllocationUseIndex::Leaf::find(uint64_t Base) const {
  static_assert(Most == 15, "four steps");
  uint32_t At = 0;
  for (uint32_t Step = 8; Step > 0; Step /= 2)
    At += uint32_t(Places[At + Step - 1].Base < Base) * Step;
  return At;
}

/// Has room for it. How many there are to move nobody can predict; mostly they
/// are no more than eight.
void AllocationUseIndex::Leaf::insert(uint32_t At, Place What) {
  constexpr size_t Some = 8;
  Place Moved[Some];
  std::copy_n(Places + At, Some, Moved);
  if (Count - At > Some) {
    Place Later[Some];
    std::copy_n(Places + At + Some, Some, Later);
    std::copy_n(Later, Some, Places + At + Some + 1);
  }
  std::copy_n(Moved, Some, Places + At + 1);
  Places[At] = What;
  ++Count;
}

void AllocationUseIndex::Leaf::cut(uint32_t Kept) {
  std::fill(Places + Kept, Places + Count, Place());
  Count = Kept;
}

/// The leaf that has Base or would have it.
size_t AllocationUseIndex::leafOf(uint64_t Base) const {
  const uint64_t *First = Firsts.data();
  for (size_t Count = Firsts.size(); Count > 1;) {
    const size_t Half = Count / 2;
    First = __builtin_unpredictable(First[Half] <= Base) ? First + Half : First;
    Count -= Half;
  }
  return size_t(First - Firsts.data());
}

/// Of an entry that nobody uses. What is inlined here and below is part of one
/// loop over the ranges of a launch.
[[gnu::always_inline]] inline uint32_t AllocationUseIndex::newNumber() {
  if (FreeCount > 0)
    return Free[--FreeCount];
  Free.push_back(0);
  Entries.emplace_back();
  return uint32_t(Entries.size() - 1);
}

/// The entry of What among those that Number begins; where there is none, a new
/// one that nobody has used.
AllocationUseIndex::Entry &
AllocationUseIndex::sameBase(size_t Number, const Allocation &What) {
  while (Entries[Number].Where.Bytes != What.Bytes) {
    if (Entries[Number].Other == None) {
      const uint32_t New = newNumber();
      Entries[New] = {What, 0, 0, None, {}};
      Entries[Number].Other = New;
      Overlapping = true;
    }
    Number = Entries[Number].Other;
  }
  return Entries[Number];
}

/// Whether the second, which begins later, begins within the first.
static bool reaches(const Allocation &First, uint64_t Second) {
  return Second - First.Base < First.Bytes;
}

/// Looks whether What, which was put there, overlaps the ones beside it.
void AllocationUseIndex::noteNeighbours(size_t Which, uint32_t At,
                                        const Allocation &What) {
  const Leaf &In = Leaves[Which];
  const Leaf::Place *Before = nullptr, *After = nullptr;
  if (At > 0)
    Before = &In.Places[At - 1];
  else if (Which > 0)
    Before = &Leaves[Which - 1].Places[Leaves[Which - 1].Count - 1];
  if (At + 1 < In.Count)
    After = &In.Places[At + 1];
  else if (Which + 1 < Leaves.size())
    After = Leaves[Which + 1].Places;
  if (Before && reaches(Entries[Before->Number].Where, What.Base))
    Overlapping = true;
  if (After && reaches(What, After->Base))
    Overlapping = true;
}

/// Leaves it some room: drops what is stale, and divides it when that is not
/// enough. Where bases have several entries it only divides.
void AllocationUseIndex::makeRoom(size_t Which) {
  Leaf &In = Leaves[Which];
  if (!Overlapping) {
    uint32_t Kept = 0;
    for (uint32_t I = 0; I < In.Count; ++I) {
      const Leaf::Place Each = In.Places[I];
      const bool Gone = stale(Entries[Each.Number]);
      Free[FreeCount] = uint32_t(Each.Number);
      FreeCount += size_t(Gone);
      In.Places[Kept] = Each;
      Kept += uint32_t(!Gone);
    }
    Stored -= In.Count - Kept;
    In.cut(Kept);
  }
  if (In.Count <= Leaf::Dense)
    return;
  Leaf Upper;
  Upper.Count = In.Count / 2;
  std::copy(In.Places + In.Count - Upper.Count, In.Places + In.Count,
            Upper.Places);
  In.cut(In.Count - Upper.Count);
  const auto At = std::ptrdiff_t(Which + 1);
  Firsts.insert(Firsts.begin() + At, Upper.Places[0].Base);
  Leaves.insert(Leaves.begin() + At, Upper);
}

/// Of the entries of one base that Number begins, those in flight.
uint32_t AllocationUseIndex::dropStale(size_t Number) {
  uint32_t First = None;
  while (Number != None) {
    Entry &Each = Entries[Number];
    const uint32_t Other = Each.Other;
    if (stale(Each)) {
      Free[FreeCount++] = uint32_t(Number);
    } else {
      Each.Other = First;
      First = uint32_t(Number);
    }
    Number = Other;
  }
  return First;
}

void AllocationUseIndex::dropAllStale() {
  Spare.assign(1, Leaf());
  Firsts.assign(1, 0);
  Stored = 0;
  for (const Leaf &Each : Leaves)
    for (uint32_t I = 0; I < Each.Count; ++I) {
      const uint32_t Number = dropStale(Each.Places[I].Number);
      if (Number == None)
        continue;
      const uint64_t Base = Each.Places[I].Base;
      if (Spare.back().Count == Leaf::Fill) {
        Spare.emplace_back();
        Firsts.push_back(Base);
      }
      Leaf &To = Spare.back();
      To.Places[To.Count++] = {Base, Number};
      ++Stored;
    }
  Leaves.swap(Spare);
  DropAbove = 64 + 4 * Stored;
}

/// Whether two entries have a byte in common.
bool AllocationUseIndex::anyOverlap() const {
  const Entry *Before = nullptr;
  for (const Leaf &Each : Leaves)
    for (uint32_t I = 0; I < Each.Count; ++I) {
      const Entry &Mine = Entries[Each.Places[I].Number];
      if (Mine.Other != None ||
          (Before && reaches(Before->Where, Mine.Where.Base)))
        return true;
      Before = &Mine;
    }
  return false;
}

/// Adds those that meet the next launch because one of the two touches all
/// memory; Placed is what it does to any allocation.
void AllocationUseIndex::noteEverywhere(MemoryUse OfNext, MemoryUse Placed) {
  const MemoryUse All = {OfNext.Reads || Placed.Reads,
                         OfNext.Writes || Placed.Writes};
  if (OfNext.any())
    Conflicts |= Any.Writes;
  if (OfNext.Writes)
    Conflicts |= Any.Reads;
  if (All.any())
    Conflicts |= Everywhere.Writes;
  if (All.Writes)
    Conflicts |= Everywhere.Reads;
  Any.add(All, 1);
  Everywhere.add(OfNext, 1);
}

/// Notes that the next launch uses an entry, as its allocation of number Slot;
/// the mark.
uint64_t AllocationUseIndex::useAgain(Entry &Of, MemoryUse Mine,
                                      uint32_t Slot) {
  const uint64_t Ago = Now - Of.Launch;
  const uint64_t Mark = stale(Of) ? 0 : Ago << 32 | Of.Slot;
  Conflicts |= older(Of.Users.Writes, Ago - 1);
  if (Mine.Writes)
    Conflicts |= older(Of.Users.Reads, Ago - 1);
  Of.Users.add(Mine, Ago);
  Of.Launch = Now;
  Of.Slot = Slot;
  return Mark;
}

/// The same of an allocation that has no entry and belongs there.
[[gnu::always_inline]] inline void
AllocationUseIndex::useNew(size_t Which, uint32_t At, const Allocation &What,
                           MemoryUse Mine, uint32_t Slot) {
  const uint32_t New = newNumber();
  Entry &Of = Entries[New];
  Of.Where = What;
  Of.Launch = Now;
  Of.Slot = Slot;
  Of.Other = None;
  Of.Users = {uint64_t(Mine.Reads), uint64_t(Mine.Writes)};
  Leaves[Which].insert(At, {What.Base, New});
  ++Stored;
  noteNeighbours(Which, At, What);
}

/// The same of any allocation.
[[gnu::always_inline]] inline uint64_t
AllocationUseIndex::useOne(const Allocation &What, MemoryUse Mine,
                           uint32_t Slot) {
  size_t Which = leafOf(What.Base);
  if (Leaves[Which].Count == Leaf::Most) {
    makeRoom(Which);
    Which = leafOf(What.Base);
  }
  const Leaf &In = Leaves[Which];
  const uint32_t At = In.find(What.Base);
  const Leaf::Place &There = In.Places[At];
  if (There.Base == What.Base && At < In.Count)
    return useAgain(sameBase(There.Number, What), Mine, Slot);
  useNew(Which, At, What, Mine, Slot);
  return 0;
}

void AllocationUseIndex::use(const Launch &Next, unsigned Depth,
                             std::vector<uint64_t> &Marks) {
  ++Now;
  Oldest = std::max(Begin, Now > Depth ? Now - Depth : 1);
  Conflicts = 0;
  MemoryUse Placed;
  Marks.resize(Next.Where.size());
  for (size_t I = 0; I < Next.Where.size(); ++I) {
    const MemoryUse Mine = Next.Uses[I];
    Marks[I] = useOne(Next.Where[I], Mine, uint32_t(I));
    Placed.Reads |= Mine.Reads;
    Placed.Writes |= Mine.Writes;
  }
  if (Overlapping || Stored > DropAbove) {
    dropAllStale();
    Overlapping = Overlapping && anyOverlap();
  }
  noteEverywhere(Next.Everywhere, Placed);
}

} // namespace blockmaestro
