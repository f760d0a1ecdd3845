// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what bm-sim --detail warp shows: a table by kernel, JSON, a line
// of values for each launch.
// On the data's way: from a WarpReport to people and scripts. The keys are
// listed in docs/warp-tier.md. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_SIM_WARPOUTPUT_H
#define BLOCKMAESTRO_TOOLS_BM_SIM_WARPOUTPUT_H

#include "Machine.h"
#include "WarpModel.h"
#include "blockmaestro/Recording.h"

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace blockmaestro {

/// One run: what was replayed, on what, how, and what came out.
struct WarpOutcome {
  std::string File;
  Recording What;
  sim::Machine On;
  sim::WarpPolicy By = sim::WarpPolicy::GreedyThenOldest;
  sim::WarpReport Report;
};

void printTable(const WarpOutcome &Of, llvm::raw_ostream &Out);
void printCsv(const WarpOutcome &Of, llvm::raw_ostream &Out);
void printJson(const WarpOutcome &Of, llvm::raw_ostream &Out);

} // namespace blockmaestro

#endif
