// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: from a kernel in canonical device IR to the same thread's code
// for the host: `void body(ptr Context, i32 tidx, i32 tidy, i32 tidz)`.
// On the data's way: after Refusal and Costs, before BlockFunction.
// Invariants: special registers, parameters and shared memory are read through
// the BlockContext; device globals are declarations under their globalName();
// block barriers are still there. Addresses keep their address space, which the
// host's code generators treat as flat. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_RETARGET_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_RETARGET_H

#include "ThreadCode.h"

#include "blockmaestro/Metadata.h"

namespace blockmaestro {

/// Replaces \p Kernel, whose parameters are \p Record's, of the module with
/// number \p Ordinal. \p Weights is the number of marked basic blocks, 0 when
/// visits are not counted.
ThreadCode retarget(llvm::Function &Kernel, const KernelRecord &Record,
                    unsigned Ordinal, unsigned Weights);

} // namespace blockmaestro

#endif
