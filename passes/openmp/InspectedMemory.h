// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: has an inspection function reach memory that the device could see
// by calls of the runtime (runtime/openmp/TaskInterface.h).
// On the data's way: last step of Inspection.
// Invariants: what is accessed directly is a variable whose address nobody
// else gets to know, a task's record, or a constant.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_INSPECTEDMEMORY_H
#define BLOCKMAESTRO_PASSES_OPENMP_INSPECTEDMEMORY_H

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Instruction;
class Twine;
} // namespace llvm

namespace blockmaestro {

/// The error that says \p Why and the line of \p At, where it is known.
llvm::Error refusedAt(const llvm::Instruction &At, const llvm::Twine &Why);

/// Fails with the reason where F has accesses that cannot be diverted.
llvm::Error divertMemory(llvm::Function &F);

} // namespace blockmaestro

#endif
