// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which slice of L2 a part of memory is in, and which of its rows
// of sets.
// On the data's way: Memory asks for the slice of a sector, the Cache of that
// slice for the row of a line.
// Invariants: of a window, which is so many times as many neighbouring parts as
// there are slices, each slice has as many parts, in rows of which none is
// twice there. Where these are is decided by chance, always in the same way:
// few neighbours may be in one slice, and many are in all evenly. Ownership and
// threads: a plain value.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_INTERLEAVING_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_INTERLEAVING_H

#include <cstddef>
#include <cstdint>

namespace blockmaestro::sim {

/// Spreads what lies at regular distances over parts whose number is \p Parts.
inline uint64_t spread(uint64_t Number, uint64_t Parts) {
  return (Number ^ Number >> 7 ^ Number >> 15 ^ Number >> 23) % Parts;
}

struct Interleaving {
  uint64_t Slices = 1;
  uint64_t SectorsOfPart = 1;
  uint64_t SectorsOfLine = 1;
  /// Parts that a slice has of a window; 0: no windows, but parts in slices by
  /// the bits of their numbers, and a row for as many lines as there are
  /// slices.
  uint64_t Window = 0;

  size_t sliceOf(uint64_t Part) const {
    return Window ? sliceInWindow(Part) : spread(Part, Slices);
  }
  uint64_t rowOf(uint64_t Line) const {
    return Window ? rowInWindow(Line) : Line / Slices;
  }

private:
  size_t sliceInWindow(uint64_t Part) const;
  uint64_t rowInWindow(uint64_t Line) const;
};

} // namespace blockmaestro::sim

#endif
