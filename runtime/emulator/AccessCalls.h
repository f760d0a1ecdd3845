// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the host calls by which instrumented code tells what it touches.
// On the data's way: from compiled code (Instrument) to the AccessObserver.
// Invariants: the context's Observer and Scheduler are set: instrumented
// kernels are of form Fibers. Threads: the worker that runs the block.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_ACCESSCALLS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_ACCESSCALLS_H

#include "BlockContext.h"

#include <cstdint>

namespace blockmaestro {

/// AccessBits, whether the pointer is one to shared memory, and the alignment
/// the access needs, in one word.
constexpr uint32_t packAccess(uint32_t Bits, bool Shared, uint32_t Alignment) {
  return Bits | (Shared ? 0x80u : 0u) | Alignment << 8;
}

} // namespace blockmaestro

extern "C" {
/// \p Packed is packAccess(); \p Site a number of CompiledKernel::Sites.
void bm_access(blockmaestro::BlockContext *Context, uint32_t Thread,
               const void *Address, uint64_t Bytes, uint32_t Packed,
               uint32_t Site);
void bm_fence(blockmaestro::BlockContext *Context);
}

#endif
