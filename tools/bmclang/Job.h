// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: clang's command line made from ours, and clang run with it.
// On the data's way: the driver's last step.
// Invariants: without -fblockmaestro clang gets the arguments as they are and
// replaces this process. With it, clang runs as a child, and the folder in
// which the device's compilation leaves records for the host's is removed
// however the child ends. Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_JOB_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_JOB_H

#include "CommandLine.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

/// The arguments for clang, behind its name.
llvm::Expected<std::vector<std::string>>
clangArguments(const CommandLine &Command);

/// Replaces this process by clang; returns only when that failed.
llvm::Error becomeClang(const std::string &Clang,
                        const std::vector<std::string> &Arguments);

/// Runs clang with the plugin's environment; its exit code.
llvm::Expected<int> runClang(const std::string &Clang,
                             const std::vector<std::string> &Arguments,
                             const CommandLine &Command);

} // namespace blockmaestro

#endif
