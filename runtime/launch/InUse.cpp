// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Who meets whom]
// ~~~~~~~~~~~~~~~~~~~~~
// With each allocation go two words: which of the launches up to its last use
// read it, and which wrote it, the one of the last use lowest. A launch D later
// moves them up by D, so nothing has to be done when a launch leaves. The ones
// that a new launch may have to wait for are the union of few words.
//
// The bases in flight are sorted for two reasons: an overlap is one of
// neighbours, and an allocation is found by halving. They stand apart from the
// rest because a new one moves those above it.

#include "InUse.h"

#include <algorithm>

namespace blockmaestro {

static constexpr uint32_t None = ~uint32_t(0);

/// Moves the bits of History up by Launches.
static uint64_t older(uint64_t History, uint64_t Launches) {
  return Launches < InUse::Furthest ? History << Launches : 0;
}

void InUse::History::add(MemoryUse What, uint64_t After) {
  Reads = older(Reads, After) | uint64_t(What.Reads);
  Writes = older(Writes, After) | uint64_t(What.Writes);
}

/// The first place that is not before What.
size_t InUse::placeOf(const Allocation &What) const {
  const uint64_t *First = Bases.data();
  for (size_t Count = Bases.size(); Count > 0;) {
    const size_t Half = Count / 2;
    const bool Above = First[Half] < What.Base;
    First += Above ? Half + 1 : 0;
    Count = Above ? Count - Half - 1 : Half;
  }
  auto Place = size_t(First - Bases.data());
  while (Place < Bases.size() && Bases[Place] == What.Base &&
         Entries[Number[Place]].Bytes < What.Bytes)
    ++Place;
  return Place;
}

/// Fills Mine and, where there is no entry, New.
void InUse::find(const std::vector<Allocation> &Where) {
  Mine.clear();
  New.clear();
  for (const Allocation &What : Where) {
    const size_t Place = placeOf(What);
    const bool Known = Place < Bases.size() && Bases[Place] == What.Base &&
                       Entries[Number[Place]].Bytes == What.Bytes;
    if (!Known)
      New.push_back({Place, uint32_t(Mine.size())});
    Mine.push_back(Known ? Number[Place] : None);
  }
}

uint32_t InUse::newEntry(uint64_t Bytes) {
  if (Free.empty()) {
    Free.push_back(uint32_t(Entries.size()));
    Entries.emplace_back();
  }
  const uint32_t At = Free.back();
  Free.pop_back();
  Entries[At] = Entry();
  Entries[At].Bytes = Bytes;
  return At;
}

bool InUse::overlapsNext(size_t Place) const {
  return Place + 1 < Bases.size() &&
         Bases[Place + 1] - Bases[Place] < Entries[Number[Place]].Bytes;
}

bool InUse::anyOverlap() const {
  for (size_t Place = 0; Place < Bases.size(); ++Place)
    if (overlapsNext(Place))
      return true;
  return false;
}

/// Gives those of New an entry of no use yet.
void InUse::addMissing(const std::vector<Allocation> &Where) {
  std::sort(New.begin(), New.end(), [&](const Missing &A, const Missing &B) {
    const Allocation &X = Where[A.Slot], &Y = Where[B.Slot];
    return X.Base != Y.Base ? X.Base < Y.Base : X.Bytes < Y.Bytes;
  });
  size_t End = Bases.size();
  Bases.resize(End + New.size());
  Number.resize(End + New.size());
  for (size_t Left = New.size(); Left-- > 0;) {
    const auto [Place, Slot] = New[Left];
    const size_t To = Place + Left;
    const auto Step = std::ptrdiff_t(Left + 1);
    const auto From = std::ptrdiff_t(Place), Until = std::ptrdiff_t(End);
    std::copy_backward(Bases.begin() + From, Bases.begin() + Until,
                       Bases.begin() + Until + Step);
    std::copy_backward(Number.begin() + From, Number.begin() + Until,
                       Number.begin() + Until + Step);
    Mine[Slot] = newEntry(Where[Slot].Bytes);
    Bases[To] = Where[Slot].Base;
    Number[To] = Mine[Slot];
    End = Place;
  }
  for (size_t I = 0; I < New.size() && !Overlapping; ++I) {
    const size_t At = New[I].Place + I;
    Overlapping = overlapsNext(At) || (At > 0 && overlapsNext(At - 1));
  }
}

void InUse::dropOld(unsigned Depth) {
  size_t Kept = 0;
  for (size_t Place = 0; Place < Bases.size(); ++Place) {
    const uint32_t Which = Number[Place];
    if (Entries[Which].Launch + Depth < Now) {
      Free.push_back(Which);
      continue;
    }
    Bases[Kept] = Bases[Place];
    Number[Kept++] = Which;
  }
  Bases.resize(Kept);
  Number.resize(Kept);
  DropAbove = std::max<size_t>(16, Kept + Kept / 4);
}

/// Adds those that meet Next because one of the two touches all memory.
void InUse::noteEverywhere(const Launch &Next) {
  MemoryUse All = Next.Everywhere;
  for (const MemoryUse &Each : Next.Uses) {
    All.Reads |= Each.Reads;
    All.Writes |= Each.Writes;
  }
  if (Next.Everywhere.any())
    Conflicts |= Any.Writes;
  if (Next.Everywhere.Writes)
    Conflicts |= Any.Reads;
  if (All.any())
    Conflicts |= Everywhere.Writes;
  if (All.Writes)
    Conflicts |= Everywhere.Reads;
  Any.add(All, 1);
  Everywhere.add(Next.Everywhere, 1);
}

void InUse::use(const Launch &Next, unsigned Depth,
                std::vector<uint64_t> &Marks) {
  ++Now;
  if (Overlapping || Bases.size() > DropAbove) {
    dropOld(Depth);
    Overlapping = Overlapping && anyOverlap();
  }
  find(Next.Where);
  if (!New.empty())
    addMissing(Next.Where);
  Conflicts = 0;
  Marks.clear();
  for (size_t I = 0; I < Mine.size(); ++I) {
    Entry &Of = Entries[Mine[I]];
    const uint64_t Ago = Now - Of.Launch;
    const bool Recent = Of.Launch != 0 && Ago <= Depth;
    Marks.push_back(Recent ? Ago << 32 | Of.Slot : 0);
    Conflicts |= older(Of.Users.Writes, Ago - 1);
    if (Next.Uses[I].Writes)
      Conflicts |= older(Of.Users.Reads, Ago - 1);
    Of.Users.add(Next.Uses[I], Ago);
    Of.Launch = Now;
    Of.Slot = uint32_t(I);
  }
  noteEverywhere(Next);
}

} // namespace blockmaestro
