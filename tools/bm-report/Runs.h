// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one run of a recording's launches: as recorded, or simulated
// under one scheduler.
// On the data's way: from events, or the simulator, to the runs of a report.
// Invariants: times are counted from the run's beginning. Blocks are those of
// consecutive launches, all of each.
// Ownership and threads: plain values; runs are simulated on as many threads
// as there are cores, and come out the same.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_RUNS_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_RUNS_H

#include "Column.h"
#include "LaunchSums.h"
#include "LoadMap.h"
#include "Replay.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

/// Launches of which every block is kept: from First on, Count of them.
struct BlockWindow {
  size_t First = 0;
  size_t Count = 0;
};

/// From the first of \p Range on, as many launches of it as have at most
/// \p MostBlocks blocks.
BlockWindow blockWindow(const Recording &Of,
                        std::pair<uint64_t, uint64_t> Range,
                        uint64_t MostBlocks);

/// When and where each block of some launches ran; -1 where one did not.
struct BlockTable {
  BlockTable(const Recording &Of, BlockWindow Window);

  void set(uint64_t Launch, uint64_t Block, int64_t Row, uint64_t Start,
           uint64_t End);

  BlockWindow Window;
  std::vector<size_t> From; ///< Of each launch its first block's place.
  Column Rows, Starts, Lengths;
};

struct TimeColumns {
  Column Start, End;
};

struct Run {
  std::string Name;
  std::string What; ///< One line for people.
  bool IsRecorded = false;
  bool IsModelled = true; ///< Its durations are computed, not measured.
  std::string RowName;
  uint64_t Ns = 0;
  Column RowIds;
  TimeColumns Launches, Copies;
  LoadMap Load;
  BlockTable Blocks;
  std::optional<sim::SimulationReport> Report; ///< Of a simulated one.
};

/// What simulating a recording has given.
struct Simulation {
  sim::DurationSource Durations = sim::DurationSource::Shared;
  sim::Replay All; ///< But its reports, which the runs have.
  std::vector<Run> Runs;
  /// When launches and copies completed where nothing waits for anything.
  std::vector<sim::LaunchTimes> Free;
  uint64_t FreeNs = 0;
  std::vector<uint32_t> PlaceOf; ///< Of each launch among launches and copies.

  const Run *find(llvm::StringRef Name) const;
  /// Of one of Runs.
  size_t numberOf(const Run &One) const { return size_t(&One - Runs.data()); }
};

/// None where no block has an event.
std::optional<Run> recordedRun(const Recording &Of,
                               const std::vector<LaunchSum> &Sums,
                               BlockWindow Window);

/// The names of the runs that losses are found from.
inline constexpr llvm::StringLiteral KernelLevelRun = "baseline",
                                     BlockLevelRun = "producer";

/// These, and those that losses are found from, each once.
std::vector<sim::Scheduler> schedulersNeeded(llvm::ArrayRef<sim::Scheduler> Of);

/// Under these schedulers, which schedulersNeeded has given. An error where the
/// recording cannot be simulated.
llvm::Expected<Simulation> simulateRuns(const Recording &Of,
                                        const sim::Machine &On,
                                        llvm::ArrayRef<sim::Scheduler> By,
                                        BlockWindow Window);

/// As an object of the list of runs.
void writeRun(llvm::json::OStream &Out, const Run &Of, const Simulation *Among);

/// All but its runs, as an object.
void writeSimulation(llvm::json::OStream &Out, const Simulation &Of);

} // namespace blockmaestro

#endif
