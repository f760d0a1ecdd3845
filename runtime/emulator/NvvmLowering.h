// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the NVVM intrinsics of arithmetic, conversion, bits and fences as
// IR for the host; and LLVM's exponential and logarithm of singles.
// On the data's way: Retarget asks for every call it does not replace itself.
// Warp operations, barriers and special registers are others' business.
// Invariants: no blocks are made, so a walk over instructions may call it.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_NVVMLOWERING_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_NVVMLOWERING_H

namespace llvm {
class CallInst;
} // namespace llvm

namespace blockmaestro {

/// Replaces the uses of \p Call, an intrinsic, by the host's form of it and
/// erases it; false, and nothing done, when it is none of these intrinsics.
bool lowerNvvmArithmetic(llvm::CallInst &Call);

} // namespace blockmaestro

#endif
