// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the files of a compilation whose source nvcc takes and clang does
// not, as clang takes them.
// On the data's way: before a compilation; clang reads the changed text in the
// place of the file, by an overlay of the file system, under the file's name.
// Invariants: no line moves; of the headers those count that lie in folders of
// the project. Files are only read.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_SOURCEFILES_H
#define BLOCKMAESTRO_TOOLS_NVCC_SOURCEFILES_H

#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>

namespace blockmaestro::nvcc {

/// The changed texts of the files and of what they include, in quotes from
/// anywhere or in brackets from Folders, by absolute path. Folders are those of
/// -I.
std::map<std::string, std::string>
rewrittenFiles(llvm::ArrayRef<std::string> Files,
               llvm::ArrayRef<std::string> Folders);

} // namespace blockmaestro::nvcc

#endif
