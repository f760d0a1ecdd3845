// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the questions device code asks about a generic address: is it one
// of shared, constant, local or global memory?
// On the data's way: after Retarget, before SharedMemory.
// Invariants: every address is one of the host. Shared memory is the block's
// buffer, local memory the stacks and frames of the block's threads, constant
// memory the module's constant variables; everything else is global.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_ADDRESSKINDS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_ADDRESSKINDS_H

#include "ThreadCode.h"

namespace blockmaestro {

void lowerAddressKinds(ThreadCode &T);

} // namespace blockmaestro

/// Whether \p Address is of a variable of one of the block's threads.
extern "C" bool bm_is_local(blockmaestro::BlockContext *Context,
                            uint64_t Address);

#endif
