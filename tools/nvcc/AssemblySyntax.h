// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: inline assembly as nvcc takes it and clang does not, written so
// that clang does: special registers with one percent sign, as %laneid.
// On the data's way: SourceFiles rewrites files by it.
// Invariants: only strings of assembly with operands change, and in them only
// signs in front of words of two letters or more; operands have one at most.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_ASSEMBLYSYNTAX_H
#define BLOCKMAESTRO_TOOLS_NVCC_ASSEMBLYSYNTAX_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace blockmaestro::nvcc {

/// Source with its inline assembly as clang takes it.
std::string rewriteAssembly(llvm::StringRef Source);

} // namespace blockmaestro::nvcc

#endif
