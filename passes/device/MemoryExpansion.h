// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: puts plain loads, stores and atomics beside the assembly and the
// intrinsics that touch memory, so that the rest of the analysis needs to know
// only those.
// On the data's way: part of canonicalisation, once variables are in registers
// and before accesses are made to stay.
// Invariants: the accesses put in touch the bytes of what they stand for, at
// its place and under its conditions; what they compute means nothing.
// Threads: one per LLVMContext.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_MEMORYEXPANSION_H
#define BLOCKMAESTRO_PASSES_DEVICE_MEMORYEXPANSION_H

namespace llvm {
class CallBase;
class Function;
class Instruction;
} // namespace llvm

namespace blockmaestro {

/// Expands what can be in F, part of a copy made for analysis.
void expandMemory(llvm::Function &F);

/// Puts an end of the thread before Next, under a condition of which nothing is
/// known.
void endSometimes(llvm::Instruction &Next);

/// Whether the accesses of Call stand beside it.
bool isExpanded(const llvm::CallBase &Call);

} // namespace blockmaestro

#endif
