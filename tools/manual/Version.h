// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which BlockMaestro this is, for --version of every tool and for
// manual pages. Invariants: one line each, without its end. Threads: pure.

#ifndef BLOCKMAESTRO_TOOLS_MANUAL_VERSION_H
#define BLOCKMAESTRO_TOOLS_MANUAL_VERSION_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace blockmaestro {

/// "0.1.0"
llvm::StringRef version();

/// "bm-dump: BlockMaestro 0.1.0, commit 8426fc0a06eb, LLVM 22.1.0". The commit
/// is that which was built, the version of LLVM that which it was built with.
std::string versionLine(llvm::StringRef Tool);

} // namespace blockmaestro

#endif
