// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a pass in front of LLVM's loop vectoriser that hides from it that
// a number of a few bits grows along a loop.
// On the data's way: part of the pipeline of Compiler.cpp.
// Invariants: see Note [Narrow indices] in the source. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_NARROWINDICES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_NARROWINDICES_H

#include "llvm/IR/PassManager.h"

namespace blockmaestro {

struct NarrowIndicesPass : llvm::PassInfoMixin<NarrowIndicesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &Known);
};

} // namespace blockmaestro

#endif
