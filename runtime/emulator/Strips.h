// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which kernels can run neighbouring blocks as one wide block. See
// Note [Strips] in Strips.cpp.
// On the data's way: asked by BlockFunction of a body without barriers.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_STRIPS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_STRIPS_H

#include <cstdint>

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

struct BlockShape;

/// How many threads in x one run of the block function for \p Body may have,
/// whose blocks have the shape \p Shape; 0 when it must be a single block.
/// Otherwise the code of \p Body is made right for such a strip of blocks.
uint32_t stripThreads(llvm::Function &Body, BlockShape Shape);

} // namespace blockmaestro

#endif
