// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LastUses.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {

/// A generation of so many gets a join where as many may come behind it.
static constexpr size_t Large = 8;

/// Whether uses of this kind run together.
static bool together(DependKind How) {
  return How == DependKind::In || How == DependKind::InOutSet;
}

LastUses::Known &LastUses::knownAt(uint64_t First) {
  constexpr uint64_t Golden = 0x9e3779b97f4a7c15;
  if (Recent.empty())
    Recent.resize(size_t(1) << KnownBits);
  return Recent[First * Golden >> (64 - KnownBits)];
}

LastUses::Map::iterator LastUses::add(Map::iterator Hint, uint64_t First,
                                      Segment &&New) {
  const auto Made = Segments.emplace_hint(Hint, First, std::move(New));
  knownAt(First) = {First, Made, true};
  return Made;
}

LastUses::Map::iterator LastUses::remove(Map::iterator At) {
  Known &Place = knownAt(At->first);
  if (Place.First == At->first)
    Place.Is = false;
  return Segments.erase(At);
}

/// The first segment that has bytes from First on, none of which lie before it.
LastUses::Map::iterator LastUses::cutAt(uint64_t First) {
  if (const Known &Place = knownAt(First); Place.Is && Place.First == First)
    return Place.At;
  auto At = Segments.lower_bound(First);
  if (At != Segments.end() && At->first == First)
    knownAt(First) = {First, At, true};
  if (At == Segments.begin())
    return At;
  auto Left = std::prev(At);
  if (Left->second.Last < First)
    return At;
  Segment Right = Left->second;
  Left->second.Last = First - 1;
  return add(At, First, std::move(Right));
}

/// Makes the segment, which begins at Last or before, end there.
void LastUses::cutBehind(Map::iterator At, uint64_t Last) {
  if (At->second.Last <= Last)
    return;
  Segment Right = At->second;
  At->second.Last = Last;
  add(std::next(At), Last + 1, std::move(Right));
}

void LastUses::useSegment(Segment &Of, DependKind How, uint32_t Node,
                          Nodes &Producers) {
  const bool Joins = Of.How == How && together(How);
  if (!Joins) {
    std::swap(Of.Before, Of.Newest);
    Of.Newest.clear();
    Of.How = How;
  }
  Producers.insert(Producers.end(), Of.Before.begin(), Of.Before.end());
  if (Of.Newest.empty() || Of.Newest.back() != Node)
    Of.Newest.push_back(Node);
  AnyLarge |= Of.Newest.size() >= Large;
}

/// A use that is a generation of its own: what was known of these bytes goes,
/// and they are one segment.
void LastUses::useAlone(uint64_t First, uint64_t Last, uint32_t Node,
                        Nodes &Producers) {
  auto At = cutAt(First);
  auto Kept = Segments.end();
  while (At != Segments.end() && At->first <= Last) {
    cutBehind(At, Last);
    const Nodes &Newest = At->second.Newest;
    Producers.insert(Producers.end(), Newest.begin(), Newest.end());
    if (Kept == Segments.end() && At->first == First)
      Kept = At++;
    else
      At = remove(At);
  }
  if (Kept == Segments.end())
    Kept = add(At, First, Segment());
  Segment &All = Kept->second;
  All.Last = Last;
  All.How = DependKind::Out;
  All.Before.clear();
  All.Newest.assign(1, Node);
}

/// A use that others may share: each segment keeps its own past, and bytes that
/// nobody used become segments.
void LastUses::useTogether(uint64_t First, uint64_t Last, DependKind How,
                           uint32_t Node, Nodes &Producers) {
  auto At = cutAt(First);
  uint64_t Next = First;
  for (;;) {
    const bool Found = At != Segments.end() && At->first <= Last;
    if (!Found || At->first > Next) {
      Segment Fresh;
      Fresh.Last = Found ? At->first - 1 : Last;
      Fresh.How = How;
      Fresh.Newest.assign(1, Node);
      add(At, Next, std::move(Fresh));
    }
    if (!Found)
      return;
    cutBehind(At, Last);
    useSegment(At->second, How, Node, Producers);
    if (At->second.Last >= Last)
      return;
    Next = At->second.Last + 1;
    ++At;
  }
}

void LastUses::use(uint64_t First, uint64_t Last, DependKind How, uint32_t Node,
                   std::vector<uint32_t> &Producers) {
  if (together(How))
    useTogether(First, Last, How, Node, Producers);
  else
    useAlone(First, Last, Node, Producers);
}

void LastUses::joinBefore(uint64_t First, uint64_t Last, DependKind How,
                          const MakeJoin &Make) {
  if (!together(How))
    return;
  for (auto At = cutAt(First); At != Segments.end() && At->first <= Last;
       ++At) {
    Segment &Of = At->second;
    Nodes &Behind = Of.How == How ? Of.Before : Of.Newest;
    if (Behind.size() < Large)
      continue;
    if (Behind != LastJoined) {
      LastJoin = Make(Behind);
      LastJoined = Behind;
    }
    Behind.assign(1, LastJoin);
  }
}

void LastUses::clear() {
  for (const auto &Each : Segments)
    knownAt(Each.first).Is = false;
  Segments.clear();
  LastJoined.clear();
  AnyLarge = false;
}

} // namespace blockmaestro
