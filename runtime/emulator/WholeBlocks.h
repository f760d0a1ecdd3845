// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: runs blocks of kernels that have one function for a whole block,
// several neighbours at once where the function can.
// On the data's way: below OrcEmulator, beside FiberBlock.
// Invariants: a block that fails is named, whatever it ran together with.
// Threads: one worker.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_WHOLEBLOCKS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_WHOLEBLOCKS_H

#include "FiberBlock.h"

namespace blockmaestro {

/// Makes zero what cooperative groups keep in the block's shared memory.
void clearReserved(const BlockContext &C, const CompiledKernel &K);

/// Runs \p Count blocks, from that of \p C on, of a kernel that has one
/// function for the whole block. If a strip of them fails, it runs once more,
/// block by block, so that the one that failed can be named; what is in memory
/// no longer counts then.
Status runWhole(WorkerState &W, BlockContext &C, const CompiledKernel &K,
                uint64_t Count);

} // namespace blockmaestro

#endif
