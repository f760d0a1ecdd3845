// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: dependences, as clang's calls have them, as the ranges of a task.
// Those of an iterator that name a tile row by row become one range.
// On the data's way: lists of Dependence -> here -> Inspection -> TaskGraph.
// Invariants: ranges have the bytes of the dependences, no less and no more.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_DEPENDENCEROWS_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_DEPENDENCEROWS_H

#include "TaskGraph.h"
#include "TaskInterface.h"

#include <cstdint>
#include <vector>

namespace blockmaestro::openmp {

/// Adds the ranges of so many dependences. Whether one of these is all memory;
/// then the ranges do not say all.
bool addRanges(const Dependence *First, int32_t Count,
               std::vector<TaskGraph::Range> &To);

} // namespace blockmaestro::openmp

#endif
