// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InUse.h"

#include <algorithm>
#include <bit>

namespace blockmaestro {

unsigned NameSet::firstFree() const {
  for (size_t I = 0; I < Words.size(); ++I)
    if (Words[I] != ~uint64_t(0))
      return unsigned(I * 64) + unsigned(std::countr_one(Words[I]));
  return Most;
}

/// The first entry not before What.
size_t InUse::placeOf(const Allocation &What) const {
  size_t First = 0;
  for (size_t Count = Entries.size(); Count > 0;) {
    const size_t Step = Count / 2;
    const bool Above = before(Entries[First + Step].What, What);
    First = Above ? First + Step + 1 : First;
    Count = Above ? Count - Step - 1 : Step;
  }
  return First;
}

/// Fills Places; whether all of Where have an entry.
bool InUse::find(const std::vector<Allocation> &Where) {
  bool All = true;
  Places.clear();
  for (const Allocation &What : Where) {
    const size_t At = placeOf(What);
    Places.push_back(At);
    All &= At < Entries.size() && !before(What, Entries[At].What);
  }
  return All;
}

void InUse::dropOld(unsigned Depth) {
  std::erase_if(Entries, [&](const Entry &E) {
    const bool Old = E.Launch + Depth < Now;
    if (Old && E.Name != NameSet::Most)
      Names.remove(E.Name);
    return Old;
  });
  DropAbove = std::max<size_t>(16, Entries.size() + Entries.size() / 4);
}

bool InUse::anyOverlap() const {
  for (size_t I = 1; I < Entries.size(); ++I)
    if (Entries[I].What.Base - Entries[I - 1].What.Base <
        Entries[I - 1].What.Bytes)
      return true;
  return false;
}

/// Gives every allocation of Where an entry, of no use yet where it is new.
void InUse::addNew(const std::vector<Allocation> &Where) {
  New.clear();
  for (size_t I = 0; I < Where.size(); ++I) {
    const size_t At = Places[I];
    if (At < Entries.size() && !before(Where[I], Entries[At].What))
      continue;
    const unsigned Name = Names.firstFree();
    if (Name != NameSet::Most)
      Names.add(Name);
    NameLimit = std::min(std::max(NameLimit, Name + 1), NameSet::Most);
    New.push_back({Where[I], Now, 0, Name});
  }
  std::sort(New.begin(), New.end(), [](const Entry &A, const Entry &B) {
    return before(A.What, B.What);
  });
  size_t Left = Entries.size();
  Entries.resize(Left + New.size());
  for (size_t To = Entries.size(); !New.empty(); --To) {
    const bool Old =
        Left > 0 && before(New.back().What, Entries[Left - 1].What);
    Entries[To - 1] = Old ? Entries[Left - 1] : New.back();
    if (Old)
      --Left;
    else
      New.pop_back();
  }
}

void InUse::use(const std::vector<Allocation> &Where, unsigned Depth,
                std::vector<Mark> &Marks) {
  ++Now;
  if (Overlapping || Entries.size() > DropAbove)
    dropOld(Depth);
  if (!find(Where)) {
    addNew(Where);
    find(Where);
    Overlapping = anyOverlap();
  } else if (Overlapping) {
    Overlapping = anyOverlap();
  }
  Marks.clear();
  for (size_t I = 0; I < Where.size(); ++I) {
    Entry &Mine = Entries[Places[I]];
    const bool Recent = Mine.Launch < Now && Mine.Launch + Depth >= Now;
    Marks.push_back(
        {Recent ? (Now - Mine.Launch) << 32 | Mine.Slot : 0, Mine.Name});
    Mine.Launch = Now;
    Mine.Slot = uint32_t(I);
  }
}

} // namespace blockmaestro
