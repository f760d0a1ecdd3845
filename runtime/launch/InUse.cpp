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

InUse::Entry *InUse::find(const Allocation &What) {
  auto At = std::lower_bound(
      Entries.begin(), Entries.end(), What,
      [](const Entry &E, const Allocation &A) { return before(E.What, A); });
  return At != Entries.end() && !before(What, At->What) ? &*At : nullptr;
}

void InUse::dropOld(unsigned Depth) {
  std::erase_if(Entries, [&](const Entry &E) {
    const bool Old = E.Launch + Depth < Now;
    if (Old && E.Name != NameSet::Most)
      Names.remove(E.Name);
    return Old;
  });
}

/// Gives every allocation of Where an entry, of no use yet where it is new.
void InUse::addNew(const std::vector<Allocation> &Where, unsigned Depth) {
  dropOld(Depth);
  New.clear();
  for (const Allocation &What : Where) {
    if (find(What))
      continue;
    const unsigned Name = Names.firstFree();
    if (Name != NameSet::Most)
      Names.add(Name);
    New.push_back({What, 0, 0, Name});
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
  Overlapping = false;
  for (size_t I = 1; I < Entries.size(); ++I)
    Overlapping |= Entries[I].What.Base - Entries[I - 1].What.Base <
                   Entries[I - 1].What.Bytes;
}

void InUse::use(const std::vector<Allocation> &Where, unsigned Depth,
                std::vector<Mark> &Marks) {
  ++Now;
  const bool AllKnown =
      !Overlapping &&
      std::all_of(Where.begin(), Where.end(),
                  [&](const Allocation &What) { return find(What); });
  if (!AllKnown)
    addNew(Where, Depth);
  Marks.clear();
  for (size_t I = 0; I < Where.size(); ++I) {
    Entry &Mine = *find(Where[I]);
    const bool Recent = Mine.Launch != 0 && Mine.Launch + Depth >= Now;
    Marks.push_back(
        {Recent ? (Now - Mine.Launch) << 32 | Mine.Slot : 0, Mine.Name});
    Mine.Launch = Now;
    Mine.Slot = uint32_t(I);
  }
}

} // namespace blockmaestro
