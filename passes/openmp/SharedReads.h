// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which of a task's shared variables it only reads.
// On the data's way: optimized code of a task on the device -> here ->
// TaskLayout.
// Invariants: a variable is named only where every byte that the task reads of
// it is known to be among those counted, and no address of it gets elsewhere.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_SHAREDREADS_H
#define BLOCKMAESTRO_PASSES_OPENMP_SHAREDREADS_H

#include "TaskLayout.h"

namespace blockmaestro {

/// Code is `void (ptr Record)`. Fields of the shareds that it does not look at
/// have copies of no bytes.
std::vector<CopiedVariable> findSharedReads(llvm::Function &Code,
                                            uint64_t SharedsBytes);

} // namespace blockmaestro

#endif
