// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the launches of a recording lose time by waiting, and what
// would regain it.
// On the data's way: from simulated runs and the recording's motifs to the
// losses and the advice of a report.
// Invariants: a launch takes, in a run, the time from the completion of the
// launch before it to its own, so that the times of all add up to when the last
// has completed. Rows are by falling loss or gain, then by launch, then by
// mechanism.
// Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_LOSSES_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_LOSSES_H

#include "Causes.h"
#include "RecordingFacts.h"
#include "Runs.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

/// All launches of one position in the motifs.
struct PositionTimes {
  uint32_t Position = 0;
  uint64_t Launch = 0; ///< The first.
  uint64_t Times = 0;  ///< How many launches.
  /// What they take: of each run, and behind these where nothing waits.
  std::vector<int64_t> Takes;
};

/// Of the launches that were simulated, by their first launch.
std::vector<PositionTimes> positionTimes(const RecordingFacts &Of,
                                         const Simulation &Ran);

/// As objects of docs/bm-report-data.md.
void writeLosses(llvm::json::OStream &Out, RecordingFacts &Of,
                 const Simulation &Ran, std::vector<PositionTimes> Times);
void writeAdvice(llvm::json::OStream &Out, RecordingFacts &Of,
                 const Simulation &Ran,
                 const std::vector<PositionTimes> &Times);

} // namespace blockmaestro

#endif
