// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes counted code tell of every step a thread goes to, and says
// what the steps are: the code as warps are traced in it.
// On the data's way: around Costs, between KernelSource and Retarget, which
// turns the markers into calls of bm_step (WarpTracer).
// Invariants: an instruction is one of the traced code where Costs counts it,
// in the same class, unless a GPU issues none for it, or several (64-bit
// integers); an access is one where it has a marker (AccessMarks), so
// neighbours that become one access are one. A step has its instructions in the
// order in which a GPU issues them (IssueOrder). A small block that is jumped
// over is executed by a predicate: there are no branches, and its instructions
// need the condition. Values are registers; what costs nothing is what it is
// made of. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_WARPCODING_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_WARPCODING_H

#include "TracedCode.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

/// `void(i32 step)`, or LeavesFunction.
inline constexpr const char *StepMarker = "bm.stepped";

/// Codes the module of the kernel \p Root and puts the markers of steps into
/// it. \p Count puts those of costs and accesses there, which are none of its
/// instructions.
TracedCode codeWarps(llvm::Function &Root, llvm::function_ref<void()> Count);

} // namespace blockmaestro

#endif
