// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: two runs of bm-sim of the same program, launch by launch.
// On the data's way: from simulations, or from what --json has printed of some,
// to people and scripts.
// Invariants: both runs have the same launches, which have the same kernels and
// grids in the same order; the schedulers are those that both have.
// Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_SIM_COMPARISON_H
#define BLOCKMAESTRO_TOOLS_BM_SIM_COMPARISON_H

#include "Output.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

struct ComparedLaunch {
  uint64_t Id = 0; ///< As recorded.
  std::string Kernel;
  std::vector<uint32_t> Grid; ///< Three numbers.
};

struct ComparedScheduler {
  std::string Name;
  double TimeUs = 0;
  /// From the first start of a block to the last end, of each launch.
  std::vector<double> LaunchUs;
};

struct ComparedRun {
  std::string File;
  std::string Machine;
  std::vector<ComparedLaunch> Launches;
  std::vector<ComparedScheduler> Schedulers;
};

/// Whether the file begins as a JSON object does.
bool isJson(llvm::StringRef File);

/// What --json has printed.
llvm::Expected<ComparedRun> readRun(llvm::StringRef File);

ComparedRun runOf(const Outcome &Of);

struct Comparison {
  ComparedRun A, B; ///< With the same schedulers in the same order.
  std::vector<std::string> OnlyInOne; ///< Schedulers.
};

/// An error where the launches are not the same, or no scheduler is in both.
llvm::Expected<Comparison> compare(ComparedRun A, ComparedRun B);

void printTable(const Comparison &Of, llvm::raw_ostream &Out);
void printCsv(const Comparison &Of, llvm::raw_ostream &Out);
void printJson(const Comparison &Of, llvm::raw_ostream &Out);

} // namespace blockmaestro

#endif
