// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the members of an archive as ar makes it, thin or not.
// On the data's way: below ObjectMetadata. LLVM's own reader is for files one
// trusts: some damaged ones make it read outside of the buffer.
// Invariants: never looks outside of the bytes given. Ownership: the members'
// bytes are parts of those bytes. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_ARCHIVEMEMBERS_H
#define BLOCKMAESTRO_TOOLS_INPUTS_ARCHIVEMEMBERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace blockmaestro {

struct ArchiveMember {
  llvm::StringRef Name;  ///< In a thin archive the path from its folder.
  llvm::StringRef Bytes; ///< None in a thin archive.
};

bool isArchive(llvm::StringRef Bytes);
bool isThinArchive(llvm::StringRef Bytes);

/// All members in their order, without tables of symbols and names.
llvm::Expected<std::vector<ArchiveMember>>
archiveMembers(llvm::StringRef Archive);

} // namespace blockmaestro

#endif
