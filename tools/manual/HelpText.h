// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: --help, from a tool's Manual. Threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_MANUAL_HELPTEXT_H
#define BLOCKMAESTRO_TOOLS_MANUAL_HELPTEXT_H

#include "Manual.h"

namespace blockmaestro {

/// Of the whole tool, its commands by name only.
std::string helpText(const Manual &Of);

/// Of one command, with its options.
std::string helpText(const Manual &Of, const ManualCommand &Command);

/// A line for each option, or for each word that its value may be.
std::string optionLines(const std::vector<ManualOption> &Options);

/// "--machine NAME"; Value in the place of what it stands for.
std::string optionForm(const ManualOption &Option, const std::string &Value);

/// "bm-dump metadata FILE [--kernel NAME] [--json]"
std::string usageLine(const Manual &Of, const ManualCommand &Command);

} // namespace blockmaestro

#endif
