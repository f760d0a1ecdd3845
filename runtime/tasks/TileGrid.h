// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: tiles of one size that stand on a grid in the rows of one matrix:
// which there are, found by their first byte, and which of them some bytes
// meet, found by arithmetic.
// On the data's way: inside LastUses.
//
// Note [Tiles on a grid]
// The first tile says how far rows are from each other, how many a tile has and
// how wide it is, and where the grid begins: a cell is as large as the tile,
// and begins whole cells below it or to its right within a row of the matrix.
// Tiles that do so do not meet, as cells do not. Others, as those to the left
// of the first one, are not the grid's.
//
// Invariants: all tiles that are added fit. Ownership: values. Threads: one
// caller.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_TILEGRID_H
#define BLOCKMAESTRO_RUNTIME_TASKS_TILEGRID_H

#include "ByteRows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

class TileGrid {
public:
  static constexpr uint32_t None = UINT32_MAX;

  /// Whether the tile stands on the grid; where there is no grid yet, it makes
  /// one if it can.
  bool fits(const ByteRows &Tile);
  /// Whether the rows are those of several tiles of the grid's size that stand
  /// one below the other: clauses that follow one another may name them so.
  bool isStack(const ByteRows &Rows) const {
    return Rows.Count > Height && Begun && Rows.Count % Height == 0 &&
           Rows.FirstStep == Pitch && Rows.LastStep == Pitch &&
           Rows.Last - Rows.First + 1 == Width;
  }
  /// One of them, whose first row is Row.
  ByteRows tileOf(const ByteRows &Stack, uint32_t Row) const {
    return {Stack.firstOf(Row), Stack.lastOf(Row), Pitch, Pitch, Height};
  }
  uint32_t height() const { return Height; }
  /// Adds a tile that fits and is not there, under a number of the caller's.
  void add(const ByteRows &Tile, uint32_t Number);
  /// The number of the tile that begins with the byte; None where none does.
  uint32_t find(uint64_t First) const;
  /// Takes all tiles away that have some of the bytes, and perhaps others; adds
  /// their numbers to Met.
  void takeMet(uint64_t First, uint64_t Last, std::vector<uint32_t> &Met);

  void clear();
  size_t size() const { return Count; }

private:
  /// A place in the matrix, from the first tile's first byte on.
  struct Place {
    int64_t Row;
    uint64_t Column; ///< In bytes.
  };
  /// Of a tile; Number is None where it has been taken away, and where the
  /// entry is free, which First 0 says.
  struct Entry {
    uint64_t First = 0;
    uint32_t Number = None;
  };

  bool begin(const ByteRows &Tile);
  Place placeOf(uint64_t Byte) const;
  size_t entryOf(uint64_t First) const;
  void grow();
  void take(uint64_t First, std::vector<uint32_t> &Met);
  void takeAll(std::vector<uint32_t> &Met);
  void takeRow(int64_t Row, uint64_t Begin, uint64_t End,
               std::vector<uint32_t> &Met);

  bool Begun = false;
  uint64_t Origin = 0;
  uint64_t Pitch = 0; ///< From row to row.
  uint64_t Width = 0;
  uint32_t Height = 0;        ///< In rows.
  uint64_t Low = 0, High = 0; ///< All tiles lie within these bytes.
  std::vector<Entry>
      Entries; ///< By first byte; at least half of them are free.
  unsigned Bits = 0;
  size_t Used = 0;
  size_t Count = 0;
};

} // namespace blockmaestro

#endif
