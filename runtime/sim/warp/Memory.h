// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what all SMs share: the ports to L2, its slices, and the memory
// behind them.
// On the data's way: asked by each SM's L1Cache, sector by sector; says when
// the answer is at the SM.
// Invariants: it must be asked in the order of time, of SMs at one time: what
// is asked first is served first by each port and each slice. Everything has a
// time at which it is free again; nothing is ever taken back.
// Ownership and threads: one for a simulation, no locks.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_MEMORY_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_MEMORY_H

#include "Cache.h"
#include "Dram.h"

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
  explicit Memory(const Machine &Of);

  /// When a sector that is asked for at At is at the SM.
  uint64_t read(uint32_t Sm, uint64_t Sector, uint64_t At);

  /// When L2 has taken the bytes that an SM writes into a sector.
  uint64_t write(uint32_t Sm, uint64_t Sector, uint32_t Bytes, uint64_t At);

  /// When the answer of what L2 does to a sector is at the SM.
  uint64_t atomic(uint32_t Sm, uint64_t Sector, uint64_t At);

  /// When all that was written has been taken.
  uint64_t allTaken() const { return LastTaken; }

  const L2Counts &counts() const { return Counted; }
  const DramCounts &dramCounts() const { return Behind.counts(); }

private:
  struct Slice {
    Cache Sectors;
    uint64_t Free = 0;
  };

  uint64_t pass(uint64_t &FreeByte, uint32_t Bytes, uint64_t At) const;
  Slice &sliceOf(uint64_t Sector);
  uint64_t begin(Slice &Of, uint64_t At) const;
  uint64_t fetch(Slice &Of, uint64_t Sector, uint64_t At);
  void writeBack(Slice &Of, const Victim &What, uint64_t At);

  const Machine &On;
  uint32_t SectorsOfSlice; ///< Neighbours in one slice.
  uint32_t Request;        ///< Cycles from an SM to L2, without waiting.
  uint32_t Answer;         ///< Back.
  std::vector<Slice> Slices;
  std::vector<uint64_t> FromSm; ///< Of each SM's port, the first free byte.
  std::vector<uint64_t> ToSm;
  Dram Behind;
  L2Counts Counted;
  uint64_t LastTaken = 0;
};

} // namespace blockmaestro::sim

#endif
