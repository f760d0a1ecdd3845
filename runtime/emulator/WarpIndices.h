// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the code of a thread that knows its place as a lane of a warp
// instead of three indices, so that what is the same for all lanes shows.
// On the data's way: before the regions of a warp are planned.
// Invariants: the thread at linear index L of the block is lane L % 32 of warp
// L / 32.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_WARPINDICES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_WARPINDICES_H

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

struct BlockShape;

/// Makes \p Body, of blocks of \p Shape, one that takes its lane and its warp
/// in the place of the first two indices, and nothing in that of the third.
void numberByLane(llvm::Function &Body, const BlockShape &Shape);

/// Rewrites quotients and comparisons in \p Body that do not depend on the
/// lane, such as that of `32 * warp + lane` and 32, so that they do not mention
/// it.
void separateLanes(llvm::Function &Body);

} // namespace blockmaestro

#endif
