// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoadMap.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

/// A power of two, so that two become one again and again.
static size_t bucketsOf(size_t Rows) {
  constexpr size_t Least = 16, Finest = 4096;
  const size_t Room = LoadMap::MostCells / std::max<size_t>(Rows, 1);
  return std::clamp<size_t>(Room ? bit_floor(Room) : 0, Least, Finest);
}

LoadMap::LoadMap(size_t Rows)
    : Rows(Rows), Most(bucketsOf(Rows)), Busy(Rows * Most) {}

void LoadMap::widen() {
  for (size_t Row = 0; Row < Rows; ++Row) {
    uint64_t *const Of = Busy.data() + Row * Most;
    for (size_t I = 0; I < Most / 2; ++I)
      Of[I] = Of[2 * I] + Of[2 * I + 1];
    std::fill(Of + Most / 2, Of + Most, 0);
  }
  Width *= 2;
  Used = (Used + 1) / 2;
}

void LoadMap::add(size_t Row, uint64_t Start, uint64_t End) {
  while (End > 0 && (End - 1) / Width >= Most)
    widen();
  Used = std::max(Used, size_t(divideCeil(End, Width)));
  for (uint64_t At = Start; At < End;) {
    const uint64_t Length = std::min(End - At, Width - At % Width);
    Busy[Row * Most + At / Width] += Length;
    At += Length;
  }
}

void LoadMap::write(json::OStream &Out) const {
  const uint64_t Largest = *std::max_element(Busy.begin(), Busy.end());
  std::vector<uint8_t> Levels;
  for (size_t Row = 0; Row < Rows; ++Row)
    for (size_t I = 0; I < Used; ++I)
      Levels.push_back(
          uint8_t(Largest ? divideCeil(busyNs(Row, I) * 255, Largest) : 0));
  Out.object([&] {
    Out.attribute("bucket_ns", Width);
    Out.attribute("buckets", Used);
    Out.attribute("most", double(Largest) / double(Width));
    Out.attribute("levels", encodeBase64(Levels));
  });
}

} // namespace blockmaestro
