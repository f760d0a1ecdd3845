// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache.h"

#include <algorithm>
#include <bit>

namespace blockmaestro::sim {

static constexpr size_t NoWay = ~size_t(0);

Cache::Cache(const CacheShape &Of)
    : Shape(Of), LineShift(unsigned(std::countr_zero(Of.SectorsPerLine))),
      Lines(Of.Sets * Of.Ways, NoLine), Used(Lines.size()), Dirty(Lines.size()),
      ReadyAt(Lines.size() * Of.SectorsPerLine, Absent) {}

/// Sectors of a line are asked for one after the other, and filled after they
/// were looked for.
size_t Cache::wayOf(uint64_t Line) {
  if (Line == LastLine)
    return LastWay;
  const size_t First = firstOf(Line);
  LastLine = Line;
  LastWay = NoWay;
  for (size_t Way = First; Way < First + Shape.Ways; ++Way)
    if (Lines[Way] == Line)
      LastWay = Way;
  return LastWay;
}

uint64_t Cache::find(uint64_t Sector) {
  const size_t Way = wayOf(lineOf(Sector));
  if (Way == NoWay)
    return Absent;
  Used[Way] = ++Uses;
  return readyOf(Way, Sector);
}

/// Without a branch that nobody could predict.
size_t Cache::oldestOf(uint64_t Line) const {
  const size_t First = firstOf(Line);
  size_t Out = First;
  uint64_t Least = Used[First];
  for (size_t Way = First + 1; Way < First + Shape.Ways; ++Way) {
    const uint64_t Then = Used[Way];
    Out = Then < Least ? Way : Out;
    Least = Then < Least ? Then : Least;
  }
  return Out;
}

/// The way of a line, which has none of its sectors where it is new.
size_t Cache::allocate(uint64_t Line, Victim &Out) {
  size_t Way = wayOf(Line);
  if (Way != NoWay)
    return Way;
  Way = oldestOf(Line);
  Out = {Lines[Way], Dirty[Way]};
  Lines[Way] = LastLine = Line;
  LastWay = Way;
  Dirty[Way] = 0;
  std::fill_n(ReadyAt.begin() + std::ptrdiff_t(Way * Shape.SectorsPerLine),
              Shape.SectorsPerLine, Absent);
  return Way;
}

Victim Cache::fill(uint64_t Sector, uint64_t At) {
  Victim Out;
  const size_t Way = allocate(lineOf(Sector), Out);
  Used[Way] = ++Uses;
  readyOf(Way, Sector) = At;
  return Out;
}

Victim Cache::write(uint64_t Sector, uint64_t At) {
  Victim Out;
  const size_t Way = allocate(lineOf(Sector), Out);
  Used[Way] = ++Uses;
  Dirty[Way] = uint8_t(Dirty[Way] | 1u << placeOf(Sector));
  if (uint64_t &Ready = readyOf(Way, Sector); Ready == Absent)
    Ready = At;
  return Out;
}

void Cache::drop(uint64_t Sector) {
  const size_t Way = wayOf(lineOf(Sector));
  if (Way == NoWay)
    return;
  readyOf(Way, Sector) = Absent;
  Dirty[Way] = uint8_t(Dirty[Way] & ~(1u << placeOf(Sector)));
}

std::vector<Victim> Cache::clear(uint64_t First, uint64_t End) {
  std::vector<Victim> Out;
  LastLine = NoLine;
  for (size_t Way = 0; Way < Lines.size(); ++Way) {
    if (Lines[Way] < lineOf(First) || Lines[Way] >= lineOf(End))
      continue;
    if (Dirty[Way])
      Out.push_back({Lines[Way], Dirty[Way]});
    Lines[Way] = NoLine;
    Used[Way] = 0;
    Dirty[Way] = 0;
    std::fill_n(ReadyAt.begin() + std::ptrdiff_t(Way << LineShift),
                Shape.SectorsPerLine, Absent);
  }
  return Out;
}

} // namespace blockmaestro::sim
