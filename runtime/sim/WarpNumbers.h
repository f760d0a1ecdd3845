// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the warp tier knows of a machine besides the numbers of the
// block tier: schedulers, pipelines, caches and memory.
// On the data's way: a part of Machine.h, filled with it from machines/*.json,
// read by runtime/sim/warp. Every field is explained in docs/warp-tier.md.
// Invariants: a pipeline has at most one instance for each scheduler.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARPNUMBERS_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARPNUMBERS_H

#include <cstdint>

namespace blockmaestro::sim {

/// Of an SM. Scheduler S uses instance S % Count of it.
struct Pipeline {
  uint32_t Count = 1;
  uint32_t Interval = 1; ///< Cycles that an instruction keeps an instance.
};

/// In cycles of the memory's clock; what is 0 keeps nobody waiting. The names
/// are those of data sheets of GDDR memory.
struct MemoryTiming {
  uint32_t Ccd = 1;  ///< From a burst to the next of the channel.
  uint32_t CcdL = 0; ///< The same within a group of banks.
  uint32_t Rrd = 0;  ///< From opening a row to opening one of another bank.
  uint32_t Rcd = 0;  ///< From opening a row to its first burst.
  uint32_t Ras = 0;  ///< From opening a row to closing it.
  uint32_t Rp = 0;   ///< From closing a row to opening one.
  uint32_t Rc = 0;   ///< From opening a row to opening one of the same bank.
  uint32_t Cl = 0;   ///< From the command of a read to its data.
  uint32_t Wl = 0;   ///< From the command of a write to its data.
  uint32_t Cdlr = 0; ///< From a write's last data to the command of a read.
  uint32_t Wr = 0;   ///< From a write's last data to closing the row.
  uint32_t Rtp = 0;  ///< From the command of a read to closing the row.
};

/// In femtojoules, all 0 where a machine says nothing of energy.
struct EnergyNumbers {
  uint32_t Issue = 0;    ///< Of an instruction of a warp, whatever it does.
  uint32_t Operands = 0; ///< Of each lane of an instruction of a unit.
  uint32_t Integer = 0;  ///< Besides, of such a lane, by the unit.
  uint32_t Single = 0;
  uint32_t Double = 0;
  uint32_t Special = 0;
  uint32_t Conversion = 0;
  uint32_t Matrix = 0;
  uint32_t L1Byte = 0; ///< Of L1 and of shared memory.
  uint32_t L2Byte = 0; ///< And of the way to it.
  uint32_t DramByte = 0;
  uint32_t StaticMilliwatts = 0; ///< Of the machine, whatever runs.
};

struct WarpNumbers {
  /// Of an SM; each issues for its own warps. 0: the machine is not described
  /// warp by warp.
  uint32_t Schedulers = 0;
  uint32_t IssuesPerScheduler = 1; ///< Each cycle.
  uint32_t SmStartNs = 0; ///< From a launch's start on one SM to the last's.

  Pipeline Integer, Single;
  Pipeline Product = {0, 1}; ///< Of integers; none: those of integers.
  Pipeline Double = {1, 2};
  Pipeline Special = {1, 8};    ///< Functions and approximations.
  Pipeline Conversion = {1, 2}; ///< None: those of functions.
  Pipeline Matrix = {1, 8};
  Pipeline Memory = {1, 1};         ///< Loads, stores and exchanges.
  uint32_t MemoryIssueInterval = 1; ///< Of such ones of a scheduler.
  uint32_t CyclesMatrix = 32;
  uint32_t CyclesBranch = 6;        ///< Until the instruction behind it.
  uint32_t CyclesPredicate = 0;     ///< Of a comparison; 0: as arithmetic.
  uint32_t CyclesSingle = 0;        ///< 0: as arithmetic.
  uint32_t CyclesProduct = 0;       ///< The same.
  uint32_t CyclesApproximation = 0; ///< 0: as special.
  /// Accesses alone, without what makes their address; 0: as of the block tier.
  uint32_t CyclesL1Access = 0;
  uint32_t CyclesSharedAccess = 0;
  uint32_t WritePortSms = 1;   ///< That share a port for what they write.
  uint32_t WritePortBytes = 0; ///< A cycle of it; 0: as of the one for reads.
  uint32_t AtomicBytes = 32;   ///< Of that port, of an atomic in a sector.
  uint32_t AtomicInterval = 1; ///< Cycles of the memory pipeline for a sector.
  /// Cycles of a slice of L2 for an atomic of 32 lanes on one word, in
  /// proportion for fewer; 0: as for one lane.
  uint32_t AtomicWordCycles = 0;

  uint32_t CacheLineBytes = 128;
  uint32_t CacheSectorBytes = 32; ///< What is fetched at once.
  uint32_t L1Sets = 0; ///< 0: by what shared memory leaves of L1's bytes.
  uint32_t L1Ways = 4;
  uint32_t L1SharedLeast = 0; ///< Bytes of L1 that shared memory has always.
  uint32_t L1Misses = 256;    ///< Sectors under way of an SM.
  uint32_t L1WriteBack = 0;   ///< 1: writes stay in L1; 0: they go on to L2.
  /// 1: L1 gives a word of each of 32 banks a cycle; 0: any of its bytes.
  uint32_t L1Banked = 0;
  uint32_t L1BypassBlocks = 0; ///< So many places of an SM go past L1.
  uint32_t L2Slices = 16;
  uint32_t L2SliceBytes = 256; ///< Neighbouring bytes in one slice.
  uint32_t L2Window = 0;       ///< Parts of a slice in a window; 0: none.
  uint32_t L2Sets = 0;         ///< Of a slice; 0: by L2's bytes.
  uint32_t L2Ways = 16;
  uint32_t L2Interval = 1; ///< Cycles that a slice is taken by a sector.
  uint32_t L2ClockMHz = 0; ///< That L2Interval counts in; 0: that of the SMs.
  uint32_t L2Halves = 1; ///< 2: each has the SMs near it, and half the slices.
  /// Besides those of L2, for a sector that only the other half has.
  uint32_t CyclesL2Far = 0;

  uint32_t DramChannels = 8;
  uint32_t DramClockMHz = 1000;
  uint32_t DramLatency = 100; ///< Of its clock, besides what follows.
  uint32_t DramQueue = 32;    ///< Requests that a channel has taken.
  uint32_t DramWrites = 1;    ///< That a channel gathers before it writes.
  uint32_t DramBanks = 16;
  uint32_t DramBankGroups = 4;
  uint32_t DramRowBytes = 2048;
  uint32_t DramBurstBytes = 32;
  MemoryTiming Dram;
  EnergyNumbers Energy;
};

} // namespace blockmaestro::sim

#endif
