// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the completions of all shells have in common.
// Threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_MANUAL_COMPLETIONWORDS_H
#define BLOCKMAESTRO_TOOLS_MANUAL_COMPLETIONWORDS_H

#include "Manual.h"

namespace blockmaestro {

/// The words that the value may be, each up to the part that stands for
/// another: "uniform:" for "uniform:NS".
std::vector<std::string> choiceWords(const ManualOption &Option);

/// The options of all groups.
std::vector<ManualOption> allOptions(const Manual &Of);

/// With Separator between them.
std::string joined(const std::vector<std::string> &Words,
                   const std::string &Separator);

/// As part of the name of a shell's function.
std::string identifier(std::string Name);

} // namespace blockmaestro

#endif
