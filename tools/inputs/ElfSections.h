// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the sections of an ELF file that have a given name, and nothing
// else of it.
// On the data's way: below ObjectMetadata. LLVM's own reader is for files one
// trusts: some damaged ones make it read outside of the buffer.
// Invariants: never looks outside of the bytes given. Ownership: the sections
// are parts of those bytes. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_ELFSECTIONS_H
#define BLOCKMAESTRO_TOOLS_INPUTS_ELFSECTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace blockmaestro {

/// Whether the bytes begin as every ELF file does.
bool isElf(llvm::StringRef Bytes);

/// The contents of all sections called Name, in their order. A file that is not
/// 64-bit little-endian has none: no host that runs CUDA has another.
llvm::Expected<std::vector<llvm::StringRef>> elfSections(llvm::StringRef Bytes,
                                                         llvm::StringRef Name);

} // namespace blockmaestro

#endif
