// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a recording without what came before some launches and after
// them, as if only these had been recorded.
// On the data's way: between the reader and Workload, where only one of several
// runs counts.
// Invariants: launches and copies are numbered anew, by their position; a
// launch keeps its Id, which is what users know it by.
// Ownership and threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_EXCERPT_H
#define BLOCKMAESTRO_RUNTIME_SIM_EXCERPT_H

#include "blockmaestro/Recording.h"

namespace blockmaestro::sim {

/// The launches from First to Last, which are launches of the recording, the
/// copies and barriers between these, and the relations among what is left.
Recording excerptOf(Recording Whole, uint64_t First, uint64_t Last);

} // namespace blockmaestro::sim

#endif
