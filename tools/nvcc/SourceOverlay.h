// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: texts that clang reads in the place of files, under their names.
// On the data's way: written by the drivers in front of a compilation.
// Invariants: lives as long as the folder that it is written to.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_NVCC_SOURCEOVERLAY_H
#define BLOCKMAESTRO_TOOLS_NVCC_SOURCEOVERLAY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace blockmaestro::nvcc {

/// Writes the texts, by absolute path, into Folder; the words that tell clang.
llvm::Expected<std::vector<std::string>>
writeOverlay(const std::map<std::string, std::string> &Texts,
             llvm::StringRef Folder);

} // namespace blockmaestro::nvcc

#endif
