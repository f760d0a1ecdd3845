// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileGrid.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {

static constexpr unsigned LeastBits = 8;
/// Tiles begin below this byte, and so end where differences have a sign.
static constexpr uint64_t Far = uint64_t(1) << 62;
/// So many cells are looked at for some bytes, or as many as there are tiles.
static constexpr uint64_t MostCells = 64;

static int64_t floorOf(int64_t Number, int64_t By) {
  return Number / By - (Number % By < 0);
}

bool TileGrid::begin(const ByteRows &Tile) {
  constexpr uint64_t Wide = uint64_t(1) << 40, Tall = uint64_t(1) << 20;
  if (Tile.Count < 2 || Tile.Count > Tall || Tile.FirstStep != Tile.LastStep ||
      Tile.First == 0 || Tile.First >= Far || Tile.FirstStep >= Wide ||
      Tile.Last - Tile.First >= Tile.FirstStep)
    return false;
  Begun = true;
  Origin = Tile.First;
  Pitch = Tile.FirstStep;
  Width = Tile.Last - Tile.First + 1;
  Height = Tile.Count;
  Low = Tile.First;
  High = Tile.lastOf(Tile.Count - 1);
  return true;
}

TileGrid::Place TileGrid::placeOf(uint64_t Byte) const {
  const auto Offset = int64_t(Byte - Origin);
  const int64_t Row = floorOf(Offset, int64_t(Pitch));
  return {Row, uint64_t(Offset - Row * int64_t(Pitch))};
}

bool TileGrid::fits(const ByteRows &Tile) {
  if (!Begun)
    return begin(Tile);
  if (Tile.Count != Height || Tile.FirstStep != Pitch ||
      Tile.LastStep != Pitch || Tile.Last - Tile.First + 1 != Width ||
      Tile.First == 0 || Tile.First >= Far)
    return false;
  const Place At = placeOf(Tile.First);
  return At.Row % int64_t(Height) == 0 && At.Column % Width == 0 &&
         At.Column + Width <= Pitch;
}

/// Where the tile is, or may be put.
size_t TileGrid::entryOf(uint64_t First) const {
  constexpr uint64_t Golden = 0x9e3779b97f4a7c15;
  size_t At = First * Golden >> (64 - Bits);
  while (Entries[At].First != 0 && Entries[At].First != First)
    At = (At + 1) & (Entries.size() - 1);
  return At;
}

void TileGrid::grow() {
  Bits = std::max(Bits + 1, LeastBits);
  std::vector<Entry> Old = std::exchange(Entries, {});
  Entries.resize(size_t(1) << Bits);
  Used = 0;
  for (const Entry &Each : Old)
    if (Each.Number != None) {
      Entries[entryOf(Each.First)] = Each;
      ++Used;
    }
}

void TileGrid::add(const ByteRows &Tile, uint32_t Number) {
  if (Used * 2 >= Entries.size())
    grow();
  Entry &To = Entries[entryOf(Tile.First)];
  Used += To.First == 0;
  To = {Tile.First, Number};
  ++Count;
  Low = std::min(Low, Tile.First);
  High = std::max(High, Tile.lastOf(Tile.Count - 1));
}

uint32_t TileGrid::find(uint64_t First) const {
  return Count == 0 ? None : Entries[entryOf(First)].Number;
}

void TileGrid::take(uint64_t First, std::vector<uint32_t> &Met) {
  Entry &Of = Entries[entryOf(First)];
  if (Of.Number == None)
    return;
  Met.push_back(std::exchange(Of.Number, None));
  --Count;
}

void TileGrid::takeAll(std::vector<uint32_t> &Met) {
  for (Entry &Each : Entries)
    if (Each.Number != None)
      Met.push_back(std::exchange(Each.Number, None));
  Count = 0;
}

/// Tiles that have some of the bytes of a row from column Begin up to and with
/// End.
void TileGrid::takeRow(int64_t Row, uint64_t Begin, uint64_t End,
                       std::vector<uint32_t> &Met) {
  const int64_t Top = floorOf(Row, int64_t(Height)) * int64_t(Height);
  for (uint64_t Column = Begin / Width * Width; Column <= End; Column += Width)
    take(Origin + uint64_t(Top * int64_t(Pitch)) + Column, Met);
}

void TileGrid::takeMet(uint64_t First, uint64_t Last,
                       std::vector<uint32_t> &Met) {
  if (Count == 0 || First > High || Last < Low)
    return;
  const Place From = placeOf(std::max(First, Low));
  const Place To = placeOf(std::min(Last, High));
  const uint64_t Cells =
      From.Row == To.Row
          ? (To.Column - From.Column) / Width + 1
          : uint64_t(To.Row - From.Row + 1) * (Pitch / Width + 1);
  if (Cells > std::max<uint64_t>(Count, MostCells))
    return takeAll(Met);
  for (int64_t Row = From.Row; Row <= To.Row; ++Row)
    takeRow(Row, Row == From.Row ? From.Column : 0,
            Row == To.Row ? To.Column : Pitch - 1, Met);
}

void TileGrid::clear() {
  Begun = false;
  if (Used != 0)
    std::fill(Entries.begin(), Entries.end(), Entry());
  Used = Count = 0;
}

} // namespace blockmaestro
