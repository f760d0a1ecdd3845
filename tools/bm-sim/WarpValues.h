// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the numbers of a launch or an application simulated warp by warp,
// by the names that JSON and columns have for them.
// On the data's way: from WarpCounts to WarpOutput and ManageOutput. The keys
// are listed in docs/warp-tier.md. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_SIM_WARPVALUES_H
#define BLOCKMAESTRO_TOOLS_BM_SIM_WARPVALUES_H

#include "Machine.h"
#include "WarpCounts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace blockmaestro {

struct WarpValue {
  llvm::StringLiteral Name;
  double (*Of)(const sim::WarpCounts &, const sim::Machine &);
  bool IsRatio = true;
};

llvm::ArrayRef<WarpValue> warpValues();

llvm::json::Object toJson(const sim::WarpCounts &Of, const sim::Machine &On);

const char *nameOf(sim::WarpPolicy By);

/// Instructions of warps in a cycle of an SM.
double ipc(const sim::WarpCounts &C, const sim::Machine &On);
/// Warps that are there of those that fit.
double occupancy(const sim::WarpCounts &C, const sim::Machine &On);

/// The columns from those of issue on, and the end of the line.
inline constexpr const char *IssueAndMemoryTitles =
    " issued struct memory depend barrie nowarp |     L1     L2        DRAM   "
    "rows";
void printIssueAndMemory(const sim::WarpCounts &C, const sim::Machine &On,
                         llvm::raw_ostream &Out);

} // namespace blockmaestro

#endif
