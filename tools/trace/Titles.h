// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what launches, copies and blocks are called in a timeline.
// On the data's way: from a recording to the names of slices.
// Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_TRACE_TITLES_H
#define BLOCKMAESTRO_TOOLS_TRACE_TITLES_H

#include "blockmaestro/Launch.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace blockmaestro {

/// What people call a launch or copy, and its blocks.
struct Title {
  std::string Name;
  std::string Key; ///< What the number is of.
  uint64_t Number; ///< As recorded.
  Dim3 Grid;

  /// With the coordinates of the block, as many as the grid has.
  std::string ofBlock(uint64_t Block) const;
};

/// Without the parameters, which are the parentheses at the end.
std::string shortName(llvm::StringRef Kernel);

} // namespace blockmaestro

#endif
