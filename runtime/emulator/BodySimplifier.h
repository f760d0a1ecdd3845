// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: LLVM's scalar simplification of a thread's code while its
// barriers are still calls: small local arrays become values, short loops are
// unrolled, what is computed twice is computed once. What is simple here need
// not be kept from one region to the next.
// On the data's way: the first step of making a block function.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_BODYSIMPLIFIER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_BODYSIMPLIFIER_H

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

struct BlockShape;

/// Puts the numbers of \p Shape, where it is known, in place of the block's
/// extents and tells in which range they and the thread's indices are.
void fixShape(llvm::Function &Body, BlockShape Shape);

/// Tells \p Body, whose shape is fixed, that its launches have less than
/// LargestLine threads in x.
void limitBlocks(llvm::Function &Body, BlockShape Shape);

void simplifyBody(llvm::Function &Body);
/// Without its loops: what shows how values depend on each other.
void simplifyLightly(llvm::Function &Body);

} // namespace blockmaestro

#endif
