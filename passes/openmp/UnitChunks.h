// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes one loop of the two that clang writes for a loop which
// threads share in chunks of one, as on a GPU they do unless a program says
// otherwise: one over chunks, and one over a chunk's iterations.
// On the data's way: device code as clang writes it -> here -> the optimiser,
// which does not see that the inner one has one iteration.
// Invariants: loops of any other form stay as they are.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_UNITCHUNKS_H
#define BLOCKMAESTRO_PASSES_OPENMP_UNITCHUNKS_H

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

void joinUnitChunks(llvm::Module &M);

} // namespace blockmaestro

#endif
