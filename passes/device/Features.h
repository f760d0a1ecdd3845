// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what kernels do beyond touching memory: barriers, printing,
// meeting other blocks, and what else the contract's Feature lists.
// On the data's way: into KernelRecord::Features, which executors, the
// variants' checks and people read.
// Invariants: a feature is there if anything the kernel may call has it.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_FEATURES_H
#define BLOCKMAESTRO_PASSES_DEVICE_FEATURES_H

#include <cstdint>

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

/// Bits of Feature of canonicalised Kernel; DynamicShared and those below
/// aside.
uint32_t featuresOf(const llvm::Function &Kernel);

/// The features that canonicalisation hides: InlineAssembly and Volatile, of
/// Kernel as the program has it.
uint32_t featuresOfOriginal(const llvm::Function &Kernel);

} // namespace blockmaestro

#endif
