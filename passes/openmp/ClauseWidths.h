// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether a depend clause says more than its task does.
// On the data's way: the footprints of a task and of the ends of a clause, both
// over the task's record -> here -> remarks.
// Invariants: what is said of a pointer is true of every access of the task
// that is made by this pointer; another pointer may have the same value.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_CLAUSEWIDTHS_H
#define BLOCKMAESTRO_PASSES_OPENMP_CLAUSEWIDTHS_H

#include "TaskLayout.h"

#include "blockmaestro/Footprint.h"

#include <string>

namespace blockmaestro {

/// What of the clause the task does not need, as the end of a sentence; empty
/// where nothing can be said. Flags are kmp_depend_info's.
std::string unneededOf(const Footprint &Task, const KindLayout &Kind,
                       const Footprint &Ends, uint8_t Flags);

} // namespace blockmaestro

#endif
