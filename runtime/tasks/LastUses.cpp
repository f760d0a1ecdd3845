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

/// The first segment that has bytes from First on, none of which lie before it.
LastUses::Map::iterator LastUses::cutAt(uint64_t First) {
  auto At = Segments.lower_bound(First);
  if (At == Segments.begin())
    return At;
  auto Left = std::prev(At);
  if (Left->second.Last < First)
    return At;
  Segment Right = Left->second;
  Left->second.Last = First - 1;
  return Segments.emplace_hint(At, First, std::move(Right));
}

/// Makes the segment, which begins at Last or before, end there.
void LastUses::cutBehind(Map::iterator At, uint64_t Last) {
  if (At->second.Last <= Last)
    return;
  Segment Right = At->second;
  At->second.Last = Last;
  Segments.emplace_hint(std::next(At), Last + 1, std::move(Right));
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
      At = Segments.erase(At);
  }
  if (Kept == Segments.end())
    Kept = Segments.emplace_hint(At, First, Segment());
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
      Segments.emplace_hint(At, Next, std::move(Fresh));
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
  Segments.clear();
  LastJoined.clear();
  AnyLarge = false;
}

} // namespace blockmaestro
