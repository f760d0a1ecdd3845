// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: simulations as a Perfetto trace: for each scheduler a process
// with counters, the launches in flight, the copies, and the SMs.
// On the data's way: from simulation reports with their timelines to a file;
// docs/bm-sim.md says what is in it.
// Invariants: slices of a track follow each other, or lie within each other.
// Ownership and threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_SIM_TIMELINE_H
#define BLOCKMAESTRO_TOOLS_BM_SIM_TIMELINE_H

#include "Arrows.h"
#include "Output.h"

namespace blockmaestro {

void printTimeline(const Outcome &Of, const ArrowChoice &Arrows,
                   llvm::raw_ostream &Out);

} // namespace blockmaestro

#endif
