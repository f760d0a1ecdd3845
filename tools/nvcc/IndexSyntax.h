// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: indices of threads and blocks as values, which clang's variables
// cannot be copied to: `auto T = threadIdx;`, `lane(threadIdx)` for a template.
// They become calls of blockmaestro_index (device_source.h), which gives a
// uint3 or dim3 for clang's variables and anything else as it is. On the data's
// way: SourceFiles rewrites files by it. Invariants: no line moves. Names of
// the program's own that are called the same keep their meaning: blockDim and
// gridDim, of which many programs have some, change only behind `auto`.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_INDEXSYNTAX_H
#define BLOCKMAESTRO_TOOLS_NVCC_INDEXSYNTAX_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace blockmaestro::nvcc {

/// Source with its indices as clang takes them.
std::string rewriteIndices(llvm::StringRef Source);

} // namespace blockmaestro::nvcc

#endif
