// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the emulator cannot run: whatever is left in a kernel's code
// when every step has replaced what it knows.
// On the data's way: asked before BlockFunction.
// Threads: reads one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_REFUSAL_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_REFUSAL_H

#include "ThreadCode.h"

#include "blockmaestro/Status.h"

#include <string>

namespace llvm {
class CallBase;
} // namespace llvm

namespace blockmaestro {

/// A barrier of all threads of the block, such as __syncthreads(): not of some
/// of them, nor one of several in the block.
bool isWholeBlockBarrier(const llvm::CallBase &Call);
/// A call after which the thread does not go on: __trap(), a failed assert.
bool isTrap(const llvm::CallBase &Call);

/// Ok, or the first thing in \p T that cannot run on the emulated device, in a
/// sentence that names the kernel or function as \p Name.
Status checkRunnable(const ThreadCode &T, const std::string &Name);

} // namespace blockmaestro

#endif
