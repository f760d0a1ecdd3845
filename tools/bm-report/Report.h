// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the data of a report, as JSON.
// On the data's way: from recordings, and the programs that they are of, to the
// page. docs/bm-report-data.md is the contract.
// Invariants: the same recordings and choices give the same bytes. Of a
// recording there is in memory what the reader and the simulator keep, some
// hundred bytes of a launch for each run, 1 MiB for each run's load, and the
// text.
// Ownership and threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_REPORT_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_REPORT_H

#include "LaunchRange.h"
#include "Machine.h"
#include "ProgramRecords.h"
#include "Scheduler.h"
#include "blockmaestro/Recording.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

inline constexpr int ReportSchema = 1;

struct ReportChoices {
  sim::Machine On;
  std::vector<sim::Scheduler> By;
  LaunchRange Launches;         ///< Of which every block is kept, if they fit.
  uint64_t MostBlocks = 200000; ///< In all runs of a recording together.
};

/// As an object of the list of recordings. An error where the recording does
/// not have the launches that are asked for; what was written is then no JSON.
llvm::Error writeRecording(llvm::json::OStream &Out, llvm::StringRef File,
                           const Recording &What, const ProgramRecords &Program,
                           const ReportChoices &How);

} // namespace blockmaestro

#endif
