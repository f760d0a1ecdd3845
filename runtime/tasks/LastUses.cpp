// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LastUses.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {

/// A generation of so many gets a join where as many may come behind it.
static constexpr size_t Large = 8;
static constexpr unsigned LeastPlaceBits = 10, MostPlaceBits = 20;
/// So many more rows may be dissolved than are found before patches are given
/// up.
static constexpr uint64_t Credit = 1 << 16;

/// Whether uses of this kind run together.
static bool together(DependKind How) {
  return How == DependKind::In || How == DependKind::InOutSet;
}

uint32_t &LastUses::placeOf(uint64_t First) {
  constexpr uint64_t Golden = 0x9e3779b97f4a7c15;
  return Places[First * Golden >> (64 - PlaceBits)];
}

void LastUses::growPlaces() {
  PlaceBits = std::max(PlaceBits + 1, LeastPlaceBits);
  Places.assign(size_t(1) << PlaceBits, None);
  for (uint32_t I = 0; I < Segments.size(); ++I)
    if (!Segments[I].isGone())
      placeOf(Segments[I].First) = I;
}

void LastUses::bringMemory(size_t Ranges) {
  bringLong(Segments, Ranges);
  Chains.bringMemory(Ranges);
}

/// The segment that begins with the byte; None where none does.
uint32_t LastUses::find(uint64_t First) {
  if (Index.size() == 0)
    return None;
  uint32_t &Place = placeOf(First);
  if (Place < Segments.size() && Segments[Place].First == First &&
      !Segments[Place].isGone())
    return Place;
  const uint32_t Found = around(First).Floor;
  if (Found == None || Segments[Found].First != First)
    return None;
  return Place = Found;
}

LastUses::Past &LastUses::pastOf(Segment &Of) {
  return Of.Patch == None ? Of.Own : Patches[Of.Patch].Whole;
}

/// What these bytes have in common as one patch or one segment; null where they
/// are none.
LastUses::Past *LastUses::pastOf(const ByteRows &Bytes) {
  if (Bytes.Count > 1)
    if (const uint32_t Tile = Tiles.find(Bytes.First);
        Tile != None && Patches[Tile].Rows == Bytes)
      return &Patches[Tile].Whole;
  const uint32_t At = find(Bytes.First);
  if (At == None)
    return nullptr;
  Segment &Found = Segments[At];
  if (Found.Patch == None)
    return Bytes.Count == 1 && Found.Last == Bytes.Last ? &Found.Own : nullptr;
  Patch &Whole = Patches[Found.Patch];
  if (Whole.Rows != Bytes)
    return nullptr;
  RowsFound += Bytes.Count;
  return &Whole.Whole;
}

uint32_t LastUses::add(uint64_t First, uint64_t Last, const Past &Own) {
  if (Index.size() * 2 >= Places.size() && PlaceBits < MostPlaceBits)
    growPlaces();
  uint32_t At = uint32_t(Segments.size());
  if (FreeSegments.empty()) {
    appendToLong(Segments, {});
  } else {
    At = FreeSegments.back();
    FreeSegments.pop_back();
  }
  Segments[At] = {First, Last, Own};
  Index.insert(First, At);
  AroundKnown = false;
  placeOf(First) = At;
  return At;
}

void LastUses::remove(uint32_t At) {
  Index.erase(Segments[At].First);
  AroundKnown = false;
  Segments[At].First = 1;
  Segments[At].Last = 0;
  FreeSegments.push_back(At);
}

/// The segments around a byte; it is often asked for twice, to look for a
/// segment and then to make one.
SegmentIndex::Neighbours LastUses::around(uint64_t First) {
  if (!AroundKnown || AroundFirst != First)
    LastAround = Index.around(First);
  AroundFirst = First;
  AroundKnown = true;
  return LastAround;
}

/// The first segment that has bytes from First on.
uint32_t LastUses::firstFrom(uint64_t First) {
  const SegmentIndex::Neighbours Found = around(First);
  return Found.Floor != None && Segments[Found.Floor].Last >= First
             ? Found.Floor
             : Found.Above;
}

/// The same, where none of the bytes lie before First.
uint32_t LastUses::cutAt(uint64_t First) {
  const uint32_t At = firstFrom(First);
  if (At == None || Segments[At].First >= First)
    return At;
  if (Segments[At].Patch != None)
    dissolve(Segments[At].Patch);
  const uint64_t Last = std::exchange(Segments[At].Last, First - 1);
  return add(First, Last, Past(Segments[At].Own));
}

/// Makes the segment, which begins at Last or before, end there; it is no row
/// of a patch then.
void LastUses::cutBehind(uint32_t At, uint64_t Last) {
  if (Segments[At].Patch != None)
    dissolve(Segments[At].Patch);
  if (Segments[At].Last <= Last)
    return;
  const uint64_t Old = std::exchange(Segments[At].Last, Last);
  add(Last + 1, Old, Past(Segments[At].Own));
}

void LastUses::dissolve(uint32_t Gone) {
  const Patch &Of = Patches[Gone];
  for (uint32_t Row = 0; Row < Of.Rows.Count; ++Row) {
    Segment &Each = Segments[find(Of.Rows.firstOf(Row))];
    Each.Own = Of.Whole;
    Each.Patch = None;
  }
  RowsDissolved += Of.Rows.Count;
  FreePatches.push_back(Gone);
}

uint32_t LastUses::addPatch(const Patch &New) {
  if (FreePatches.empty()) {
    Patches.push_back(New);
    return uint32_t(Patches.size()) - 1;
  }
  const uint32_t Made = FreePatches.back();
  FreePatches.pop_back();
  Patches[Made] = New;
  return Made;
}

/// The rows are those of RowSegments, all with the same past.
void LastUses::makePatch(const ByteRows &Bytes) {
  const uint32_t Made = addPatch({Bytes, Segments[RowSegments.front()].Own});
  for (uint32_t Each : RowSegments)
    Segments[Each].Patch = Made;
}

/// Whether there is no segment from the tile's first byte to its last.
bool LastUses::isFresh(const ByteRows &Tile) {
  const SegmentIndex::Neighbours Found = around(Tile.First);
  return (Found.Floor == None || Segments[Found.Floor].Last < Tile.First) &&
         (Found.Above == None ||
          Segments[Found.Above].First > Tile.lastOf(Tile.Count - 1));
}

/// Rows that nobody has used become a patch without segments, where they are a
/// tile on the grid.
bool LastUses::addTile(const ByteRows &Bytes, DependKind How, uint32_t Node) {
  if (Bytes.Count == 1 || !Tiles.fits(Bytes) || !isFresh(Bytes))
    return false;
  const DependKind Kept = together(How) ? How : DependKind::Out;
  Tiles.add(Bytes, addPatch({Bytes, {{}, Chains.push({}, Node), Kept}}));
  return true;
}

void LastUses::makeSegments(uint32_t Of) {
  const ByteRows Rows = Patches[Of].Rows;
  for (uint32_t Row = 0; Row < Rows.Count; ++Row) {
    const uint32_t At = add(Rows.firstOf(Row), Rows.lastOf(Row), {});
    Segments[At].Patch = Of;
  }
}

/// Tiles on the grid that have some of the bytes get segments.
void LastUses::makeSegmentsOfMet(const ByteRows &Bytes) {
  if (Tiles.size() == 0)
    return;
  Met.clear();
  for (uint32_t Row = 0; Row < Bytes.Count; ++Row)
    Tiles.takeMet(Bytes.firstOf(Row), Bytes.lastOf(Row), Met);
  for (uint32_t Each : Met)
    makeSegments(Each);
}

void LastUses::usePast(Past &Of, DependKind How, uint32_t Node,
                       std::vector<uint32_t> &Producers) {
  if (!together(How)) {
    Chains.append(Of.Newest, Producers);
    Of = {{}, Chains.push({}, Node), DependKind::Out};
    return;
  }
  if (Of.How != How)
    Of = {Of.Newest, {}, How};
  Chains.append(Of.Before, Producers);
  Of.Newest = Chains.push(Of.Newest, Node);
  AnyLarge |= Of.Newest.Size >= Large;
}

/// A use that is a generation of its own: what was known of these bytes goes,
/// and they are one segment, which it gives.
uint32_t LastUses::useAlone(uint64_t First, uint64_t Last, uint32_t Node,
                            std::vector<uint32_t> &Producers) {
  uint32_t At = cutAt(First);
  uint32_t Kept = None;
  while (At != None && Segments[At].First <= Last) {
    cutBehind(At, Last);
    Chains.append(Segments[At].Own.Newest, Producers);
    const uint32_t Next = Index.above(Segments[At].First);
    if (Segments[At].First == First)
      Kept = At;
    else
      remove(At);
    At = Next;
  }
  const Past Own = {{}, Chains.push({}, Node), DependKind::Out};
  if (Kept == None)
    return add(First, Last, Own);
  Segments[Kept].Last = Last;
  Segments[Kept].Own = Own;
  return Kept;
}

/// A use that others may share: each segment keeps its own past, and bytes that
/// nobody used become segments. The segment, where all bytes are one; else
/// None.
uint32_t LastUses::useTogether(uint64_t First, uint64_t Last, DependKind How,
                               uint32_t Node,
                               std::vector<uint32_t> &Producers) {
  uint32_t At = cutAt(First);
  uint64_t Next = First;
  for (;;) {
    const bool Found = At != None && Segments[At].First <= Last;
    if (!Found || Segments[At].First > Next) {
      const uint64_t End = Found ? Segments[At].First - 1 : Last;
      const uint32_t Fresh = add(Next, End, {{}, Chains.push({}, Node), How});
      if (!Found)
        return Next == First ? Fresh : None;
    }
    cutBehind(At, Last);
    usePast(Segments[At].Own, How, Node, Producers);
    if (Segments[At].Last >= Last)
      return Segments[At].First == First ? At : None;
    Next = Segments[At].Last + 1;
    At = Index.above(Segments[At].First);
  }
}

/// The segment, where all bytes are one then; else None.
uint32_t LastUses::useRow(uint64_t First, uint64_t Last, DependKind How,
                          uint32_t Node, std::vector<uint32_t> &Producers) {
  return together(How) ? useTogether(First, Last, How, Node, Producers)
                       : useAlone(First, Last, Node, Producers);
}

/// Row by row; where then all rows have the same past, they are a patch.
void LastUses::useRows(const ByteRows &Bytes, DependKind How, uint32_t Node,
                       std::vector<uint32_t> &Producers) {
  bool Alike = RowsDissolved <= RowsFound + Credit;
  RowSegments.clear();
  for (uint32_t Row = 0; Row < Bytes.Count; ++Row) {
    const uint64_t First = Bytes.firstOf(Row), Last = Bytes.lastOf(Row);
    const uint32_t Only = useRow(First, Last, How, Node, Producers);
    Alike =
        Alike && Only != None &&
        (Row == 0 || (First > Bytes.lastOf(Row - 1) &&
                      Segments[Only].Own == Segments[RowSegments.front()].Own));
    RowSegments.push_back(Only);
  }
  if (Alike)
    makePatch(Bytes);
}

void LastUses::use(const ByteRows &Bytes, DependKind How, uint32_t Node,
                   std::vector<uint32_t> &Producers) {
  if (!Tiles.isStack(Bytes))
    return usePart(Bytes, How, Node, Producers);
  for (uint32_t Row = 0; Row < Bytes.Count; Row += Tiles.height())
    usePart(Tiles.tileOf(Bytes, Row), How, Node, Producers);
}

void LastUses::usePart(const ByteRows &Bytes, DependKind How, uint32_t Node,
                       std::vector<uint32_t> &Producers) {
  if (Past *Whole = pastOf(Bytes))
    return usePast(*Whole, How, Node, Producers);
  if (addTile(Bytes, How, Node))
    return;
  makeSegmentsOfMet(Bytes);
  if (Bytes.Count > 1)
    return useRows(Bytes, How, Node, Producers);
  useRow(Bytes.First, Bytes.Last, How, Node, Producers);
}

void LastUses::joinPast(Past &Of, DependKind How, const MakeJoin &Make) {
  NodeChains::Chain &Behind = Of.How == How ? Of.Before : Of.Newest;
  if (Behind.Size < Large)
    return;
  if (!Chains.equal(Behind, LastJoined)) {
    std::vector<uint32_t> Joined;
    Chains.append(Behind, Joined);
    LastJoin = Make(Joined);
    LastJoined = Behind;
  }
  Behind = Chains.push({}, LastJoin);
}

void LastUses::joinBefore(const ByteRows &Bytes, DependKind How,
                          const MakeJoin &Make) {
  if (!together(How))
    return;
  if (!Tiles.isStack(Bytes))
    return joinBeforePart(Bytes, How, Make);
  for (uint32_t Row = 0; Row < Bytes.Count; Row += Tiles.height())
    joinBeforePart(Tiles.tileOf(Bytes, Row), How, Make);
}

void LastUses::joinBeforePart(const ByteRows &Bytes, DependKind How,
                              const MakeJoin &Make) {
  if (Past *Whole = pastOf(Bytes))
    return joinPast(*Whole, How, Make);
  makeSegmentsOfMet(Bytes);
  for (uint32_t Row = 0; Row < Bytes.Count; ++Row)
    for (uint32_t At = firstFrom(Bytes.firstOf(Row));
         At != None && Segments[At].First <= Bytes.lastOf(Row);
         At = Index.above(Segments[At].First))
      joinPast(pastOf(Segments[At]), How, Make);
}

void LastUses::clear() {
  Chains.clear();
  Segments.clear();
  FreeSegments.clear();
  Index.clear();
  AroundKnown = false;
  Patches.clear();
  FreePatches.clear();
  Tiles.clear();
  RowsFound = RowsDissolved = 0;
  LastJoined = {};
  AnyLarge = false;
}

} // namespace blockmaestro
