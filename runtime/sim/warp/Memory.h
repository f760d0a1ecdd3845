// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what all SMs share: the ports to L2, its slices, and the memory
// behind them.
// On the data's way: asked by each SM's L1Cache, sector by sector; says when
// the answer is at the SM.
// Invariants: it must be asked in the order of time, of SMs at one time. A port
// and a slice serve what comes first, and of what comes at one time what was
// asked first; nothing that was promised is ever taken back. What is put out of
// a cache is charged to the application that puts it out. Ownership and
// threads: one for a simulation, no locks.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_MEMORY_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_MEMORY_H

#include "Cache.h"
#include "Calendar.h"
#include "Dram.h"

#include <array>
#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

struct L2Counts {
  uint64_t Reads = 0; ///< Sectors.
  uint64_t Hits = 0;  ///< Of these, also those under way.
  uint64_t Writes = 0;
  uint64_t Atomics = 0;
};

class Memory {
public:
  /// \p IsOne: all that is charged apart is in one memory, as launches of one
  /// application are; else each has one of its own.
  explicit Memory(const Machine &Of, uint32_t Applications = 1,
                  bool IsOne = false);

  uint32_t applications() const { return uint32_t(Shares.size()); }
  bool isOne() const { return IsOne; }

  /// Whom all is charged to from now on.
  void chargeTo(uint32_t Application) { Charged = Application; }

  /// When a sector that is asked for at At is at the SM.
  uint64_t read(uint32_t Sm, uint64_t Sector, uint64_t At);

  /// When L2 has taken the bytes that an SM writes into a sector.
  uint64_t write(uint32_t Sm, uint64_t Sector, uint32_t Bytes, uint64_t At);

  /// When the answer of what L2 does to a sector for so many lanes that want
  /// one word is at the SM.
  uint64_t atomic(uint32_t Sm, uint64_t Sector, uint32_t Together, uint64_t At);

  /// When all that an application wrote has been taken.
  uint64_t allTaken(uint32_t Application = 0) const {
    return Shares[Application].LastTaken;
  }

  const L2Counts &counts(uint32_t Application = 0) const {
    return Shares[Application].Counted;
  }
  const DramCounts &dramCounts(uint32_t Application = 0) const {
    return Behind.counts(Application);
  }

private:
  /// A read that a slice begins with then.
  struct Waiting {
    uint64_t Sector = Cache::Absent;
    uint64_t Begin = 0;
  };

  struct Slice {
    Cache Sectors;
    Calendar Taken;                ///< A slot is what it needs for a sector.
    uint64_t Blocked = 0;          ///< Until then a channel has no room.
    std::array<Waiting, 64> Reads; ///< The last of some sectors each.
  };

  /// What an application had of all this.
  struct Share {
    L2Counts Counted;
    uint64_t LastTaken = 0;
  };

  /// Bytes that pass a port a cycle, and that pass it together.
  struct PortRate {
    uint32_t Bytes = 0;
    uint32_t Slot = 1;
  };

  Share &charged() { return Shares[Charged]; }
  static uint64_t pass(Calendar &Port, const PortRate &Of, uint32_t Bytes,
                       uint64_t At, uint64_t Now);
  uint64_t answer(uint32_t Sm, uint32_t Bytes, uint64_t At, uint64_t Now);
  uint64_t send(uint32_t Sm, uint32_t Bytes, uint64_t At);
  size_t homeOf(uint64_t Sector);
  bool isFar(uint32_t Sm, size_t Home) const;
  Slice &oppositeOf(size_t Home);
  uint64_t slotAt(uint64_t Cycle) const;
  uint64_t cycleOf(uint64_t Slot) const;
  uint64_t readFar(size_t Home, uint64_t Sector, uint64_t At);
  void copyWritten(uint32_t Sm, size_t Home, uint64_t Sector, uint64_t At);
  uint64_t begin(Slice &Of, uint64_t At, uint64_t Now) const;
  uint64_t beginRead(Slice &Of, uint64_t Sector, uint64_t At,
                     uint64_t Now) const;
  uint64_t serveLanes(Slice &Of, uint32_t Together, uint64_t From) const;
  uint64_t fetch(Slice &Of, uint64_t Sector, uint64_t At);
  void writeBack(Slice &Of, const Victim &What, uint64_t At);

  const Machine &On;
  bool IsOne;
  uint32_t Request;    ///< Cycles from an SM to L2, without waiting.
  uint32_t Answer;     ///< Back.
  uint64_t SlotCycles; ///< Of the time of SMs for SlotParts slots.
  uint64_t SlotParts;
  Interleaving Parts;
  uint64_t LastPart = ~uint64_t(0); ///< Whose slice was asked for.
  size_t LastHome = 0;
  std::vector<Slice> Slices;
  uint32_t SentTogether;         ///< Bytes of a slot of FromSms.
  std::vector<Calendar> FromSms; ///< Of the ports for what is written,
  std::vector<Calendar> ToSm;    ///< and of each SM's for what it reads.
  Dram Behind;
  std::vector<Share> Shares;
  uint32_t Charged = 0;
};

} // namespace blockmaestro::sim

#endif
