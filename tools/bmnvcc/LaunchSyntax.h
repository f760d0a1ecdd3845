// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches as nvcc takes them and clang does not, written so that
// clang does: blanks within <<< and >>>, lists in braces for a dim3.
// On the data's way: before a compilation; clang reads the changed text in the
// place of the file, by an overlay of the file system, under the file's name.
// Invariants: no line moves, and outside launches nothing changes. Files are
// only read.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BMNVCC_LAUNCHSYNTAX_H
#define BLOCKMAESTRO_TOOLS_BMNVCC_LAUNCHSYNTAX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>

namespace blockmaestro::nvcc {

/// Source with its launches as clang takes them; nothing where they are.
std::optional<std::string> rewriteLaunches(llvm::StringRef Source);

/// The changed texts of the files and of what they include in quotes, by
/// absolute path. Folders are those of -I.
std::map<std::string, std::string>
rewrittenFiles(llvm::ArrayRef<std::string> Files,
               llvm::ArrayRef<std::string> Folders);

} // namespace blockmaestro::nvcc

#endif
