// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the launches that --launches asks for, as text: A..B from A to B,
// A.. from A on, ..B up to B, -N.. the last N.
// On the data's way: from a tool's options to the launches it shows.
// Ownership and threads: plain value and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_LAUNCHRANGE_H
#define BLOCKMAESTRO_TOOLS_INPUTS_LAUNCHRANGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace blockmaestro {

struct LaunchRange {
  uint64_t First = 0;
  std::optional<uint64_t> Last; ///< None: the last of all.
  bool FromEnd = false;         ///< First is how many, counted from the end.

  bool isAll() const { return First == 0 && !Last; }
};

llvm::Expected<LaunchRange> parseLaunchRange(llvm::StringRef Text);

/// The first and the last launch, of Count; an error where there are none such.
llvm::Expected<std::pair<uint64_t, uint64_t>>
launchesIn(const LaunchRange &Range, uint64_t Count);

} // namespace blockmaestro

#endif
