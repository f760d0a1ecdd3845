// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the threads of a block do together, from NVVM intrinsics to
// the host calls of WarpCalls.
// On the data's way: after Retarget, in kernels of form Fibers; the other forms
// have nothing of it but block barriers.
// Invariants: afterwards no warp operation, barrier, nanosleep, marker or exit
// is left in the code. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_WARPLOWERING_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_WARPLOWERING_H

namespace blockmaestro {

struct ThreadCode;

/// The marker `void(i32 iteration)` on the way back of a loop that waits; the
/// iterations count from 0 where the loop is entered.
inline constexpr const char *YieldMarker = "bm.yield";
/// The marker `void()` where the lanes of a warp that come there wait for each
/// other.
inline constexpr const char *LockstepMarker = "bm.lockstep";
/// The marker `void(ptr memory)` where a warp multiplies matrices; see
/// MatrixMemory.
inline constexpr const char *MultiplyMarker = "bm.multiply";
/// The marker `void(ptr words)` where each lane of a warp shows the others the
/// first of 32 words; afterwards they are those of all lanes.
inline constexpr const char *CollectMarker = "bm.collect";

void lowerWarps(ThreadCode &T);

} // namespace blockmaestro

#endif
