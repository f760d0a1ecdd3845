// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: gives shared variables their places in the block's buffer, and
// answers which kind of memory an address is of.
// On the data's way: a step of its own after Retarget, so that the checks still
// see which access is one of shared memory.
// Invariants: static variables first, each aligned, then the dynamic part.
// Addresses of shared memory are the host's; an integer that becomes one counts
// by its lower half, since device code may keep it in 32 bits. Atomics on
// shared memory are a load and a store: one thread of the host runs a block,
// and no other block can see it. They are unordered atomic ones, since threads
// of the block that change one number must not become lanes of a vector.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_SHAREDMEMORY_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_SHAREDMEMORY_H

#include "ThreadCode.h"

namespace blockmaestro {

/// Fills T.StaticShared.
void lowerSharedMemory(ThreadCode &T);

} // namespace blockmaestro

#endif
