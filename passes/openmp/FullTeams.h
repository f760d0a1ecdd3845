// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: code of a `parallel` whose team is all threads of the block asks
// nobody how large the team is and which thread it has.
// On the data's way: code of tasks that all threads run, before the device
// runtime is linked, whose functions __bm_full_* it calls.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_FULLTEAMS_H
#define BLOCKMAESTRO_PASSES_OPENMP_FULLTEAMS_H

namespace llvm {
class CallInst;
} // namespace llvm

namespace blockmaestro {

/// Parallel is called by all threads of a block, in no other `parallel`. Where
/// it has no clauses of its own it gets a microtask of its own.
void useFullTeam(llvm::CallInst &Parallel);

} // namespace blockmaestro

#endif
