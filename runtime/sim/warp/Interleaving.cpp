// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interleaving.h"

#include <algorithm>

namespace blockmaestro::sim {

/// A number of 32 bits that looks like chance (the finalizer of splitmix64).
static uint64_t chance(uint64_t Of) {
  Of = (Of ^ Of >> 30) * 0xbf58476d1ce4e5b9;
  Of = (Of ^ Of >> 27) * 0x94d049bb133111eb;
  return (Of ^ Of >> 31) >> 32;
}

/// Parts that are as far from each other as a slice has parts of a window go
/// round the slices, from one of chance on.
size_t Interleaving::sliceInWindow(uint64_t Part) const {
  const uint64_t Round = Part / Window;
  const uint64_t First = Round / Slices * Window + Part % Window;
  const uint64_t Slice = Round % Slices + (chance(First) * Slices >> 32);
  return Slice < Slices ? Slice : Slice - Slices;
}

/// Those of a window follow each other, from a row of chance on.
uint64_t Interleaving::rowInWindow(uint64_t Line) const {
  const uint64_t Sector = Line * SectorsOfLine;
  const uint64_t Part = Sector / SectorsOfPart;
  const uint64_t LinesOfPart =
      std::max<uint64_t>(1, SectorsOfPart / SectorsOfLine);
  return chance(Part / (Window * Slices)) + Part % Window * LinesOfPart +
         Line % LinesOfPart;
}

} // namespace blockmaestro::sim
