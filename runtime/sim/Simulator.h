// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: replays a workload under one scheduler, block by block.
// On the data's way: from Workload to SimulationReport, which bm-sim prints.
// Invariants: the same input gives the same report, to the last bit; of events
// at one time, launches go before blocks, then by launch, then by block. A
// block starts only after every block it needs has ended, under every
// scheduler. Launches are issued, and complete, in order.
// Ownership and threads: no shared state; any number may run at once on one
// workload.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_SIMULATOR_H
#define BLOCKMAESTRO_RUNTIME_SIM_SIMULATOR_H

#include "Scheduler.h"
#include "Workload.h"

#include <functional>
#include <string>
#include <vector>

namespace blockmaestro::sim {

struct LaunchTimes {
  uint64_t Issued = 0;   ///< Its launch overhead begins.
  uint64_t Launched = 0; ///< Its launch overhead ends.
  uint64_t FirstStart = 0;
  uint64_t LastEnd = 0;
  uint64_t Completed = 0; ///< It and all earlier launches have left.
};

struct BlockTimes {
  uint32_t Launch = 0;
  uint32_t Block = 0;
  uint32_t Sm = 0; ///< Behind the last one are the copies, by their path.
  uint64_t Start = 0;
  uint64_t End = 0;
};

/// Of the blocks that have parents: time from the end of the last parent (or
/// the barrier before, if later) to the start, over the block's own duration.
struct StallDistribution {
  uint64_t Blocks = 0;
  double Least = 0, FirstQuartile = 0, Median = 0, ThirdQuartile = 0, Most = 0;
};

/// Requests of the block scheduler's hardware to memory.
struct SchedulerTraffic {
  uint64_t ListFetches = 0;
  uint64_t ListRefetches = 0; ///< Of entries that did not fit the buffer.
  uint64_t CounterFetches = 0;
  uint64_t CounterEvictions = 0;

  uint64_t requests() const {
    return ListFetches + ListRefetches + CounterFetches + CounterEvictions;
  }
};

/// Requests of lists that were not made, since closed forms of a pattern gave
/// the children.
struct DecodedLists {
  std::string Pattern;
  uint64_t Requests = 0;
};

/// Blocks and full buffers, where these stall.
struct BufferStalls {
  uint64_t Held = 0; ///< Blocks that found no room at first.
  uint64_t Forced =
      0; ///< Those that started without, since nothing else could.
};

/// How many of these there have been.
struct RequestCount {
  uint64_t Time = 0;
  uint64_t Count = 0;
};

struct SimulationReport {
  std::string Scheduler;
  uint32_t KernelsInFlight = 1; ///< After limiting it to the window.
  uint64_t MakespanNs = 0;      ///< When the last block, or copy, has ended.
  uint64_t Blocks = 0;
  double Concurrency = 0;   ///< Blocks running, averaged over the makespan.
  double SmUtilisation = 0; ///< SMs with a block, averaged, over all SMs.
  StallDistribution Stall;
  SchedulerTraffic Traffic;
  BufferStalls Buffers;
  std::vector<DecodedLists> Decoded; ///< By name.
  uint64_t KernelLevelRelations = 0; ///< Of those in flight together.
  std::vector<LaunchTimes> Launches; ///< And copies, as in the workload.
  /// Only on request: in order of start, and whenever the count has changed.
  std::vector<BlockTimes> Timeline;
  std::vector<RequestCount> Requests;
};

struct SimulationOptions {
  bool Timeline = false;
  /// Told of every block, and copy, when it has ended: what a timeline has,
  /// for those that cannot keep it all.
  std::function<void(const BlockTimes &)> Ran = nullptr;
};

SimulationReport simulate(const Workload &What, const Machine &On,
                          const Scheduler &By,
                          const SimulationOptions &Options = {});

} // namespace blockmaestro::sim

#endif
