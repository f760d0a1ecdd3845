// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what bm-sim shows: a table, JSON, lines of values.
// On the data's way: from simulation reports to people and scripts. The keys
// are listed in docs/bm-sim.md. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_SIM_OUTPUT_H
#define BLOCKMAESTRO_TOOLS_BM_SIM_OUTPUT_H

#include "Replay.h"
#include "blockmaestro/Recording.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace blockmaestro {

/// One run of bm-sim: what was replayed, on what, and the reports asked for.
struct Outcome : sim::Replay {
  std::string File;
  Recording What;
  sim::Machine On;
};

void printTable(const Outcome &Of, llvm::raw_ostream &Out);
void printCsv(const Outcome &Of, llvm::raw_ostream &Out);
void printJson(const Outcome &Of, llvm::raw_ostream &Out);

} // namespace blockmaestro

#endif
