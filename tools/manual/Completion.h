// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: completions of shells, from a tool's Manual: commands, options,
// and the words that values may be; files elsewhere. Threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_MANUAL_COMPLETION_H
#define BLOCKMAESTRO_TOOLS_MANUAL_COMPLETION_H

#include "Manual.h"

namespace blockmaestro {

/// For bash-completion's folder, or to be read by bash: for all names.
std::string bashCompletion(const Manual &Of);

/// A function for zsh's fpath: for all names.
std::string zshCompletion(const Manual &Of);

/// For one name of the tool.
std::string fishCompletion(const Manual &Of, const std::string &Name);

} // namespace blockmaestro

#endif
