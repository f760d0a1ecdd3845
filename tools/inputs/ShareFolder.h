// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where a tool's files are installed, next to the tool itself.
// On the data's way: to machines, and the parts of bm-report's page.
// Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_SHAREFOLDER_H
#define BLOCKMAESTRO_TOOLS_INPUTS_SHAREFOLDER_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace blockmaestro {

/// The folder Name below share/blockmaestro. Argument0 is main's.
std::string shareFolder(const char *Argument0, llvm::StringRef Name);

} // namespace blockmaestro

#endif
