// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: loops whose iterations the threads of a team get in turn, as on a
// GPU they do unless a program says otherwise, in the form that is fast.
// clang writes a loop over chunks and one over the iterations of a chunk, and
// the optimiser does not see that the inner one has one iteration. Most teams
// have a thread for each iteration, and most such loops are in loops of the
// team: what the first iteration of a thread computes is the same each time,
// but only code of its own can be moved out of these.
// On the data's way: device code as clang writes it -> joinSharedLoops() -> the
// optimiser -> peelSharedLoops() -> the optimiser.
// Invariants: loops of any other form stay as they are.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_SHAREDLOOPS_H
#define BLOCKMAESTRO_PASSES_OPENMP_SHAREDLOOPS_H

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Makes one loop of the two, and marks it.
void joinSharedLoops(llvm::Module &M);

/// Gives the first iteration of marked loops within others code of its own.
void peelSharedLoops(llvm::Module &M);

} // namespace blockmaestro

#endif
