// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: many random kernels, compiled in batches, each compared with its
// truth at a few launches; failures come back shrunk.
// On the data's way: tests only. Invariants: the same settings give the same
// kernels, launches and counts. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_CAMPAIGN_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_CAMPAIGN_H

#include "Compare.h"
#include "Compile.h"

#include <iosfwd>

namespace blockmaestro::soundness {

struct Settings {
  uint32_t FirstSeed = 0;
  uint32_t Kernels = 100;
  uint32_t Batch = 50;
  uint32_t Launches = 4;
  uint32_t MostFailures = 5;
  bool BothLevels = true; ///< -O0 must give -O3's record.
  bool Shrink = true;
};

struct Failure {
  uint32_t Seed = 0;
  std::string Text; ///< Everything needed to follow it up.
};

struct Result {
  Tally Counts;
  std::vector<Failure> Failures;
  double ClangSeconds = 0, AnalysisSeconds = 0, CompareSeconds = 0;
};

/// Says how far it is on Progress, when there is one.
Result runCampaign(const Settings &S, std::ostream *Progress);

/// The launches a kernel is compared at.
std::vector<LaunchCase> launchesOf(const Kernel &K, unsigned Count);

/// The table of docs/soundness.md, and the sums.
std::string report(const Result &R);

} // namespace blockmaestro::soundness

#endif
