// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: barriers and states of pipelines of libcu++, and dim3, in shared
// memory, which nvcc leaves as they are although they have a constructor, and
// clang refuses: `__shared__ cuda::barrier<S> B;` becomes storage and a
// reference. On the data's way: SourceFiles rewrites files by it. Invariants:
// no line moves. Types are known by their name in cuda:: and by aliases of it
// in the same text. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_SHAREDOBJECTS_H
#define BLOCKMAESTRO_TOOLS_NVCC_SHAREDOBJECTS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace blockmaestro::nvcc {

/// Source with its shared objects as clang takes them.
std::string rewriteSharedObjects(llvm::StringRef Source);

} // namespace blockmaestro::nvcc

#endif
