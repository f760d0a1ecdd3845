// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what bm-sim manage, overlap and profile show: tables, JSON, lines
// of values. On the data's way: from ManagedRuns and Profiles to people and
// scripts. The keys are listed in docs/management.md. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_SIM_MANAGEOUTPUT_H
#define BLOCKMAESTRO_TOOLS_BM_SIM_MANAGEOUTPUT_H

#include "Machine.h"
#include "Management.h"
#include "Profile.h"
#include "blockmaestro/Recording.h"

#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

/// Recordings that were run side by side, or one whose launches overlapped, on
/// what, how, and what came out.
struct ManageOutcome {
  std::vector<std::string> Files;
  std::vector<std::unique_ptr<Recording>> What; ///< Applications point here.
  sim::Machine On;
  std::vector<sim::Application> Applications;
  sim::RunOptions How;
  std::vector<sim::ManagedRun> Runs;
  uint32_t InFlight = 0; ///< Launches of one that overlaps; 0: none does.
};

struct ProfileOutcome {
  ManageOutcome Of; ///< Of one recording, without runs.
  sim::Profile Is;
};

void printTable(const ManageOutcome &Of, llvm::raw_ostream &Out);
void printCsv(const ManageOutcome &Of, llvm::raw_ostream &Out);
void printJson(const ManageOutcome &Of, llvm::raw_ostream &Out);

void printTable(const ProfileOutcome &Of, llvm::raw_ostream &Out);
void printCsv(const ProfileOutcome &Of, llvm::raw_ostream &Out);
void printJson(const ProfileOutcome &Of, llvm::raw_ostream &Out);

} // namespace blockmaestro

#endif
