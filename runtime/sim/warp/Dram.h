// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: when the memory behind L2 has served what it is asked for: its
// channels, their banks with one open row each, and their queues.
// On the data's way: asked by Memory, sector by sector.
// Invariants: a channel serves reads in the order in which it is asked, and
// writes when it has gathered so many: these one after the other, by rows. It
// moves nothing else to stay in a row, which controllers do. Every number of
// MemoryTiming is kept between any two commands that it is about. Ownership and
// threads: one owner, no locks.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_DRAM_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_DRAM_H

#include "Interleaving.h"
#include "Machine.h"

#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

struct DramCounts {
  uint64_t Reads = 0; ///< Sectors.
  uint64_t Writes = 0;
  uint64_t RowHits = 0; ///< Of both, those that found their row open.
};

/// All times are in cycles of the memory's clock.
class DramChannel {
public:
  explicit DramChannel(const WarpNumbers &Of);

  /// So many bursts in one row, asked for at At: when the last of their data is
  /// there. Sets \p Hit to whether the row was open.
  int64_t access(uint32_t Bank, uint64_t Row, uint32_t Bursts, bool Writes,
                 int64_t At, bool &Hit);

  int64_t openedFor(uint32_t Bank, uint64_t Row) const;

private:
  static constexpr int64_t LongAgo = -(int64_t(1) << 40);
  static constexpr uint64_t NoRow = ~uint64_t(0);

  struct BankState {
    uint64_t Row = NoRow;
    int64_t Opened = LongAgo;
    int64_t LastRead = LongAgo;    ///< Its command.
    int64_t LastWritten = LongAgo; ///< The end of its data.
  };

  int64_t open(BankState &Of, uint64_t Row, int64_t At);
  int64_t burst(uint32_t Bank, bool Writes, int64_t At);

  const WarpNumbers &On;
  std::vector<BankState> Banks;
  std::vector<int64_t> GroupCommand; ///< The last of each group of banks.
  int64_t LastCommand = LongAgo;
  int64_t LastOpened = LongAgo;
  int64_t LastWritten = LongAgo;
  int64_t DataFree = LongAgo;
};

/// When a request has been taken, and when it is done, in cycles of the SMs.
struct Served {
  uint64_t Taken = 0;
  uint64_t Done = 0;
};

class Dram {
public:
  explicit Dram(const Machine &Of, uint32_t Applications = 1);

  /// A sector by its number, asked for at At.
  Served access(uint64_t Sector, bool Writes, uint64_t At,
                uint32_t Application = 0);

  const DramCounts &counts(uint32_t Application = 0) const {
    return Counted[Application];
  }

private:
  struct Queue {
    explicit Queue(const WarpNumbers &Of) : Channel(Of), Ends(Of.DramQueue) {}

    DramChannel Channel;
    std::vector<int64_t> Ends; ///< Of the last requests, a ring.
    uint64_t Next = 0;
    std::vector<uint64_t> Gathered; ///< Rows that are to be written.
    int64_t Written = 0;            ///< When those gathered before have been,
    int64_t WrittenBefore = 0;      ///< and those before these.
  };

  Served queue(Queue &Q, uint64_t Row, bool Writes, uint64_t At, DramCounts &C);
  Served gather(Queue &Q, uint64_t Row, uint64_t At, DramCounts &C);
  int64_t writeGathered(Queue &Q, int64_t At, DramCounts &C);
  uint32_t bankOf(uint64_t Row) const;
  int64_t serve(Queue &Q, uint64_t Row, bool Writes, int64_t At, DramCounts &C);
  int64_t inDram(uint64_t Cycles) const;
  uint64_t inCycles(int64_t Clocks) const;

  const Machine &On;
  uint32_t Bursts;           ///< Of a sector.
  uint32_t SectorsOfChannel; ///< Neighbours in one channel.
  Interleaving Parts;        ///< In channels, as in slices where there are as
                             ///< many of these.
  uint32_t SectorsOfRow;
  std::vector<Queue> Queues;
  std::vector<DramCounts> Counted; ///< Of each application.
};

} // namespace blockmaestro::sim

#endif
