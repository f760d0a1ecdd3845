// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: from device code in canonical IR to the same thread's code for
// the host: `void body(ptr Context, i32 tidx, i32 tidy, i32 tidz)` and the
// functions it calls.
// On the data's way: see Note [Steps] in KernelCache.h.
// Invariants: special registers and parameters are read through the
// BlockContext; what waits, traps or touches shared memory is still there.
// Addresses keep their address space, which the host's code generators treat as
// flat. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_RETARGET_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_RETARGET_H

#include "ThreadCode.h"

#include "blockmaestro/Metadata.h"

namespace blockmaestro {

/// Rewrites the module of \p Root into \p T. Root is a kernel with the
/// parameters of \p Record, or where that is null a function that is called
/// through its address. \p Weights is the number of marked basic blocks, 0 when
/// visits are not counted.
void retarget(llvm::Function &Root, const KernelRecord *Record,
              unsigned Weights, ThreadCode &T);

} // namespace blockmaestro

#endif
