// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether every thread of a block meets at every barrier.
// On the data's way: the feature EarlyExit, for which a kernel gets no
// variants.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_BARRIERS_H
#define BLOCKMAESTRO_PASSES_DEVICE_BARRIERS_H

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace blockmaestro {

/// Whether Call is a barrier among the threads of a block.
bool isBlockBarrier(const llvm::CallBase &Call);

/// Whether a thread may end before others of its block have passed a barrier,
/// if branches around loops are taken by all threads alike: outside of loops a
/// barrier must be on every way to the end; in a loop it must be on every
/// round, and the loop must have one way out; in a cycle that is no loop it may
/// be missed. Ways into a trap do not count.
bool mayMissBarrier(const llvm::Function &Kernel);

} // namespace blockmaestro

#endif
