// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which sectors a cache has, and from when on: lines of sectors, so
// many ways a set, the line that was used longest ago makes room.
// On the data's way: inside L1Cache and a slice of L2, which say when what
// happens and what it costs.
// Invariants: a line has as many sectors as the shape says, at most eight. What
// a sector holds is there from its time on; a sector that is asked for before
// is under way. A line that makes room takes sectors with it that are under
// way: who waits for them gets them all the same. Ownership and threads: one
// owner, no locks.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_CACHE_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_CACHE_H

#include "Interleaving.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

struct CacheShape {
  uint64_t Sets = 1;
  uint32_t Ways = 1;
  uint32_t SectorsPerLine = 4; ///< A power of two.
  Interleaving Of;             ///< Of a memory that several caches divide.
};

/// Sectors of a line that has made room and were not written back yet.
struct Victim {
  uint64_t Line = 0;
  uint32_t Dirty = 0; ///< A bit for each sector; 0: nothing is to be written.
};

class Cache {
public:
  static constexpr uint64_t Absent = ~uint64_t(0);

  explicit Cache(const CacheShape &Of);

  /// From when on the cache has a sector, or Absent. It counts as used.
  uint64_t find(uint64_t Sector);

  /// The sector is there from ReadyAt on. Its line is allocated if need be.
  Victim fill(uint64_t Sector, uint64_t ReadyAt);

  /// The same, and it is to be written back one day.
  Victim write(uint64_t Sector, uint64_t ReadyAt);

  /// Forgets a sector, written or not.
  void drop(uint64_t Sector);

  /// Forgets the sectors from First to before End; what was to be written back
  /// of their lines, in the order of the ways. Both begin lines.
  std::vector<Victim> clear(uint64_t First = 0, uint64_t End = Absent);

private:
  static constexpr uint64_t NoLine = ~uint64_t(0);

  uint64_t lineOf(uint64_t Sector) const { return Sector >> LineShift; }
  size_t firstOf(uint64_t Line) const {
    const uint64_t Own = Shape.Of.Slices == 1 ? Line : Shape.Of.rowOf(Line);
    return size_t(Own % Shape.Sets) * Shape.Ways;
  }
  uint32_t placeOf(uint64_t Sector) const {
    return uint32_t(Sector & (Shape.SectorsPerLine - 1));
  }
  size_t wayOf(uint64_t Line);
  size_t oldestOf(uint64_t Line) const;
  size_t allocate(uint64_t Line, Victim &Out);
  uint64_t &readyOf(size_t Way, uint64_t Sector) {
    return ReadyAt[(Way << LineShift) + placeOf(Sector)];
  }

  CacheShape Shape;
  unsigned LineShift;
  std::vector<uint64_t> Lines; ///< Of each way, set by set.
  std::vector<uint64_t> Used;  ///< When, counted in uses.
  std::vector<uint8_t> Dirty;
  std::vector<uint64_t> ReadyAt; ///< Of each sector of each way.
  uint64_t Uses = 0;
  uint64_t LastLine = NoLine; ///< That was looked for, and where it is.
  size_t LastWay = 0;
};

} // namespace blockmaestro::sim

#endif
