// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the machine a recording is replayed on, as plain numbers.
// On the data's way: filled from machines/*.json by bm-sim, read by everything
// in runtime/sim. Every field is explained in docs/simulator.md.
// Ownership and threads: plain value.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MACHINE_H
#define BLOCKMAESTRO_RUNTIME_SIM_MACHINE_H

#include "WarpNumbers.h"

#include <cstdint>
#include <string>

namespace blockmaestro::sim {

/// Cycles from the issue of one warp instruction to that of the next one of
/// the same warp, by class; where chains are known, of the next one that needs
/// it.
struct Latencies {
  uint32_t Arithmetic = 6;
  uint32_t GlobalRead = 400;
  uint32_t GlobalWrite = 6;
  uint32_t Shared = 24;
  uint32_t Barrier = 20;
  uint32_t Other = 6;
  // Of chains.
  uint32_t Double = 6;
  uint32_t Special = 6; ///< Functions and divisions.
  uint32_t Conversion = 6;
  uint32_t Exchange = 6;
  uint32_t Atomic = 400;
  uint32_t L1 = 400;
  uint32_t L2 = 400;
  uint32_t PastL2Near = 0;  ///< What the half of L2 by an SM has no more.
  uint32_t BarrierWarp = 0; ///< Of a barrier, for each warp.
  uint32_t Arguments = 0; ///< The first read of a launch's arguments by an SM.
};

struct Machine {
  std::string Name;

  uint32_t Sms = 28;
  uint32_t BlocksPerSm = 32;
  uint32_t ThreadsPerSm = 2048;
  uint32_t RegistersPerSm = 65536;
  uint32_t RegisterGranularity = 256; ///< A warp gets so many at a time.
  uint32_t RegistersLeast = 0;        ///< A thread has no fewer.
  uint32_t SharedBytesPerSm = 98304;
  uint32_t WarpSize = 32;

  uint32_t ClockMHz = 1417;
  uint32_t IssueWidth = 4; ///< Warp instructions a cycle, per SM.
  /// Global reads of one warp that overlap; 0: those that need nothing of each
  /// other, by recorded chains.
  uint32_t LoadsInFlight = 4;
  uint32_t BytesPerSector = 32;       ///< What memory moves at once.
  uint32_t MemoryBytesPerCycle = 339; ///< Of the whole machine.
  uint32_t HostBytesPerUs = 15754;    ///< Between host and device, each way.
  Latencies Cycles;
  // Of chains: what is 0 is not there, or keeps nobody waiting.
  uint32_t L1BytesPerSm = 0; ///< Shared memory is part of it.
  uint32_t L2Bytes = 0;
  uint32_t L2NearBytes = 0;        ///< Of the half by an SM; 0: L2 is one.
  uint32_t L1BytesPerCycle = 0;    ///< Of an SM.
  uint32_t SmBytesPerCycle = 0;    ///< From L2 to one SM.
  uint32_t L2BytesPerCycle = 0;    ///< Of the whole machine.
  uint32_t DoublesPerCycle = 0;    ///< Warp instructions, per SM.
  uint32_t SpecialCycles = 0;      ///< Of an SM, for one warp instruction.
  uint32_t BlockSpreadPercent = 0; ///< How far what a block needs may be off.

  uint64_t LaunchOverheadNs = 5000;
  uint32_t LaunchesAtOnce = 32;   ///< Launch overheads that may overlap.
  uint64_t DeviceLaunchNs = 3000; ///< A launch by a kernel.
  // From the last end of a launch to the first start of the next.
  uint64_t StreamGapNs = 0;         ///< In a stream that has both.
  uint64_t GraphGapNs = 0;          ///< In a graph.
  uint64_t EarlyGapNs = 0;          ///< In a graph, launched programmatically.
  uint64_t DependencyCheckNs = 510; ///< One launch against a window.
  uint64_t StreamSyncNs = 2000;     ///< Until the host hears of an end.
  uint32_t SchedulerStreams = 8;    ///< Into which the host launches at once.
  uint64_t BlockIssueNs = 1;        ///< Between two block starts on one SM.
  uint64_t BlockTurnaroundNs = 0;   ///< From an end to a start in its place.

  uint32_t DependencyListEntries = 896;
  uint32_t ChildrenPerEntry = 4;
  uint32_t ParentCounterEntries = 896;
  uint32_t ParentCounterBits = 6;
  /// 1: a block starts only when the entries it needs have room in both
  /// buffers; 0: full buffers never delay it.
  uint32_t FullBuffersStall = 0;
  /// 1: the children of a block are computed from a relation's closed form
  /// where that is possible; 0: their list is fetched always.
  uint32_t ClosedFormsDecode = 0;
  uint32_t PendingUpdateEntries = 896; ///< Of Wireframe's buffer.

  WarpNumbers Warps; ///< Read by the warp tier alone.

  /// The most parents a block can wait for one by one.
  uint32_t maxParents() const { return (1u << ParentCounterBits) - 1; }
};

} // namespace blockmaestro::sim

#endif
