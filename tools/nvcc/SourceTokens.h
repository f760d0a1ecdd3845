// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the pieces of C++ source end that stay as they are.
// On the data's way: below LaunchSyntax, IndexSyntax, AssemblySyntax and
// SharedObjects.
// Invariants: places are indices into the text, at most its size.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_SOURCETOKENS_H
#define BLOCKMAESTRO_TOOLS_NVCC_SOURCETOKENS_H

#include "llvm/ADT/StringRef.h"

namespace blockmaestro::nvcc {

/// The place behind a comment, a literal, a word or number that begins at At;
/// At where there is none.
size_t skip(llvm::StringRef Text, size_t At);

/// Behind blanks, and line ends that a backslash hides.
size_t skipBlanks(llvm::StringRef Text, size_t At);

} // namespace blockmaestro::nvcc

#endif
