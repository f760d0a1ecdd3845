// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether the threads of a block, and those of a warp, meet at the
// same barriers and warp operations in the same order.
// On the data's way: the features EarlyExit and WarpRows, by which the block
// variants choose how threads leave the kernel.
// Invariants: see Note [Meeting] in the source. Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_CONVERGENCE_H
#define BLOCKMAESTRO_PASSES_DEVICE_CONVERGENCE_H

#include "blockmaestro/Footprint.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace blockmaestro {

/// Whether Call is a barrier among the threads of a block.
bool isBlockBarrier(const llvm::CallBase &Call);

/// Whether Call, an intrinsic or assembly, makes threads of a warp wait for
/// each other.
bool isWarpOperation(const llvm::CallBase &Call);

/// Whether a thread that returns can be told from one that waits for the others
/// to return.
enum class Convergence {
  Full,   ///< No: all threads of a block pass the same operations.
  InRows, ///< Not where the rows of the block are whole warps.
  None,   ///< Others may come to a barrier or warp operation that waits for it.
};

/// Of Kernel, canonicalised, with footprint Bytes. Ways into a trap do not
/// count; they are taken out of Kernel, which is otherwise left as it is.
Convergence convergenceOf(llvm::Function &Kernel, const Footprint &Bytes);

} // namespace blockmaestro

#endif
