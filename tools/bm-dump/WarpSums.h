// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what traces of warps come to: instructions by class, lanes,
// accesses and what they ask of the memory.
// On the data's way: from a recording's traces to WarpsCommand.
// Invariants: a number is called as the number of a BlockCost that counts the
// same. Threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_WARPSUMS_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_WARPSUMS_H

#include "blockmaestro/Event.h"
#include "blockmaestro/WarpTrace.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>

namespace blockmaestro {

struct WarpSums {
  uint64_t Warps = 0;
  uint64_t Visits = 0;
  uint64_t Lanes = 0; ///< Of all instructions.
  BlockCost Cost;     ///< Nothing of it that asks for other blocks, or chains.

  void add(const WarpPath &Path, const WarpCode &Code);
  void add(const WarpSums &Other);
};

/// "12 instructions of 31.5 lanes, ...".
std::string toText(const WarpSums &Sums);

llvm::json::Object toJson(const WarpSums &Sums);

} // namespace blockmaestro

#endif
