// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: hides from the analysis how a number is computed that takes too
// many steps.
// On the data's way: the last change to a canonicalised kernel.
// Invariants: see Note [Cutting] in the source; the answer depends on the
// kernel only. Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_DEEPEXPRESSIONS_H
#define BLOCKMAESTRO_PASSES_DEVICE_DEEPEXPRESSIONS_H

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace blockmaestro {

/// Puts calls into F, of a function without effects, each of which gives its
/// argument.
void cutDeepExpressions(llvm::Function &F);

/// Whether V is such a call.
bool isCut(const llvm::Value *V);

} // namespace blockmaestro

#endif
