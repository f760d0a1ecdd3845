// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: finds the code that takes the lanes of a warp to run in lockstep,
// as GPUs before compute capability 7.0 did: volatile accesses of shared memory
// with nothing between them that the lanes wait at.
// On the data's way: once a kernel is inlined and before its form is chosen;
// the markers it leaves make the form Fibers.
// Invariants: a volatile access of shared memory that could meet the bytes of
// an earlier one in another lane is behind a marker, at which the lanes that
// come there wait for each other. Plain accesses are the program's own risk.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_LOCKSTEP_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_LOCKSTEP_H

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

/// Puts LockstepMarker in front of the accesses of \p F that need it.
void markLockstep(llvm::Function &F);

} // namespace blockmaestro

#endif
