// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: loops in which neighbouring threads go through memory side by
// side, `for (i = threadIdx.x; i < n; i += 256)`, split in two: iterations that
// all threads make, which they can make together, and the rest.
// On the data's way: before a body is simplified and its regions are planned;
// RegionCuts cuts regions at the loops that isTogether() knows.
// Invariants: a thread does the same as before, in the same order.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_STRIDEDLOOPS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_STRIDEDLOOPS_H

#include "LaunchConstants.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace blockmaestro {

/// Splits the strided loops of \p Body, whose first index is below \p Threads;
/// other values differ between threads unless they are constants of \p Scope.
void splitStridedLoops(llvm::Function &Body, uint32_t Threads,
                       LaunchConstants::Of Scope);

/// Whether \p L is the first part of a loop that was split.
bool isTogether(const llvm::Loop &L);

} // namespace blockmaestro

#endif
