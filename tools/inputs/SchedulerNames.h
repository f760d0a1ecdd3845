// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: schedulers of the simulator as command lines have them.
// On the data's way: from --scheduler of bm-sim and bm-report to runtime/sim.
// Threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_SCHEDULERNAMES_H
#define BLOCKMAESTRO_TOOLS_INPUTS_SCHEDULERNAMES_H

#include "Scheduler.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

/// "baseline,producer3", "paper", "all".
llvm::Expected<std::vector<sim::Scheduler>>
parseSchedulers(llvm::StringRef Names);

/// The words that stand in such a list.
std::vector<std::string> schedulerWords();

} // namespace blockmaestro

#endif
