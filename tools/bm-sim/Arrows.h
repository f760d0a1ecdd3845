// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which blocks of a simulation arrows join, from a parent's end to
// its child's start, and --arrows, which chooses.
// On the data's way: from a workload and when its blocks ran to the timeline.
// Invariants: an arrow begins at a block that has ended when the other starts.
// They come launch by launch, in the order issued, as many as are asked for.
// Of a launch that is waited for as a whole the parent is the block that ended
// last, of several at one time the first.
// Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_SIM_ARROWS_H
#define BLOCKMAESTRO_TOOLS_BM_SIM_ARROWS_H

#include "Simulator.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

struct ArrowChoice {
  enum class Parents : uint8_t {
    None,
    Last, ///< That which ended last, nearest launch first.
    All,
  };
  Parents From = Parents::Last;
  size_t Most = 50000; ///< For each scheduler.
};

/// none, critical or all; behind the last two :N for at most N.
llvm::Expected<ArrowChoice> parseArrows(llvm::StringRef Text);

/// Of what is numbered as in SimulationReport::Timeline.
struct Arrow {
  uint32_t Parent;
  uint32_t Child;
};

std::vector<Arrow> arrowsOf(const sim::Workload &Work,
                            const std::vector<sim::BlockTimes> &Ran,
                            const ArrowChoice &Which);

} // namespace blockmaestro

#endif
