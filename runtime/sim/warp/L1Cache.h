// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what an access of a warp to global memory does in its SM: L1, the
// sectors under way, and what goes on to L2.
// On the data's way: asked by Sm when it issues the access, in the order of
// time; asks Memory for what L1 does not have.
// Invariants: a sector is looked up once an access, in rising order, as many a
// cycle as L1 gives bytes. No access begins while as many sectors are under
// way as there may be; one that has begun brings all of its own.
// Ownership and threads: one for each SM, no locks.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_L1CACHE_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_L1CACHE_H

#include "Memory.h"
#include "blockmaestro/WarpTrace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro::sim {

struct L1Counts {
  uint64_t Reads = 0;    ///< Sectors, also those that go past L1.
  uint64_t Hits = 0;     ///< Of these, those that were there,
  uint64_t UnderWay = 0; ///< and those that were coming.
  uint64_t Writes = 0;
  uint64_t Atomics = 0;

  L1Counts &operator+=(const L1Counts &Other);
};

/// What becomes of an access.
struct AccessTimes {
  uint64_t Ready = 0;    ///< When its result is there.
  uint64_t PipeFree = 0; ///< When the pipeline is done with it.
  uint64_t NextMay = 0;  ///< When there is room for another one's sectors.
};

class L1Cache {
public:
  L1Cache(const Machine &On, uint32_t Sm, Memory &Behind);

  /// Where shared memory takes so many bytes: nothing in it, nothing under way;
  /// what is to be written back is.
  void start(uint64_t SharedBytes, uint64_t At = 0);

  /// While others run: nothing happens unless L1 has another shape then, which
  /// it has with nothing in it.
  void change(uint64_t SharedBytes, uint64_t At);

  /// \p Sectors are of 32 bytes, by number, rising, in the application's own
  /// memory, or in the one that all share; what one has in L1 is no other's.
  /// Of an atomic \p Together lanes want one word, of a read so many words of
  /// one bank are wanted.
  AccessTimes access(WarpClass Kind, std::span<const uint64_t> Sectors,
                     bool Bypasses, uint64_t At, uint32_t Application = 0,
                     uint32_t Together = 1);

  /// Forgets what an application has in it, and writes back what is to be.
  void flush(uint64_t At, uint32_t Application = 0);

  const L1Counts &counts(uint32_t Application = 0) const {
    return Counted[Application];
  }

private:
  uint64_t one(WarpClass Kind, uint64_t Sector, uint32_t Bytes, bool Bypasses,
               uint64_t At);
  uint64_t read(uint64_t Sector, bool Bypasses, uint64_t At);
  uint64_t write(uint64_t Sector, uint32_t Bytes, bool Bypasses, uint64_t At);
  void writeBack(const Victim &What, uint64_t At);
  void addUnderWay(uint64_t Until);
  uint64_t behind(uint64_t Sector) const;
  void flushAll(uint64_t At);

  const Machine &On;
  const uint32_t Sm;
  Memory &Behind;
  Cache Sectors;
  bool HasSectors = false;
  uint64_t SharedBytes = 0;
  std::vector<uint64_t> UnderWay; ///< Until when, a heap of the earliest.
  uint64_t NextMay = 0;
  std::vector<L1Counts> Counted; ///< Of each application.
  uint32_t By = 0;               ///< Whose access it is.
  uint32_t LanesOfWord = 1;      ///< If it is an atomic.
};

} // namespace blockmaestro::sim

#endif
