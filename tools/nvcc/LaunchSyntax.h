// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches as nvcc takes them and clang does not, written so that
// clang does: blanks within <<< and >>>, lists in braces for a dim3.
// On the data's way: SourceFiles rewrites files by it.
// Invariants: no line moves, and outside launches nothing changes.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_LAUNCHSYNTAX_H
#define BLOCKMAESTRO_TOOLS_NVCC_LAUNCHSYNTAX_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace blockmaestro::nvcc {

/// Source with its launches as clang takes them.
std::string rewriteLaunches(llvm::StringRef Source);

} // namespace blockmaestro::nvcc

#endif
