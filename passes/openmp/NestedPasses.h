// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: LLVM's passes run over a module from within a pass of ours.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_NESTEDPASSES_H
#define BLOCKMAESTRO_PASSES_OPENMP_NESTEDPASSES_H

#include "llvm/Passes/PassBuilder.h"

namespace blockmaestro {

/// With analyses of their own, which end with the call.
void runNested(llvm::Module &M, llvm::ModulePassManager Passes);
void runNested(llvm::Function &F, llvm::FunctionPassManager Passes);

} // namespace blockmaestro

#endif
