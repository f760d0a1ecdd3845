// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: clang's command line made from ours, and clang run with it.
// On the data's way: the driver's last step.
// Invariants: without a flag of ours clang gets the arguments as they are and
// replaces this process. It does so too where nothing has to be kept while it
// runs; else it is a child, and the private folder in which the device's
// compilation leaves records for the host's is removed however that ends.
// Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_JOB_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_JOB_H

#include "CommandLine.h"

#include "llvm/Support/Error.h"

#include <string>

namespace blockmaestro {

/// Runs clang as the command line asks; its exit code.
llvm::Expected<int> runClang(const std::string &Clang,
                             const CommandLine &Command);

} // namespace blockmaestro

#endif
