// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which functions the analysis does not inline, because they are
// recursive or a kernel would grow too large.
// On the data's way: asked by canonicalisation before it inlines the rest.
// Invariants: with these kept, no kernel and no kept function grows beyond
// InlineLimit by inlining, unless it is as large by itself or through
// functions too small to matter. The answer depends on the module only.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_INLINEPLAN_H
#define BLOCKMAESTRO_PASSES_DEVICE_INLINEPLAN_H

#include <set>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Instructions a kernel may have after inlining.
inline constexpr double InlineLimit = 40000;

/// The functions with a body that are to stay calls in M.
std::set<const llvm::Function *> functionsToKeep(const llvm::Module &M,
                                                 double Limit = InlineLimit);

} // namespace blockmaestro

#endif
