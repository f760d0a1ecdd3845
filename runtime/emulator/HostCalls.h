// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: every function of the host that generated code may call, by name:
// the rows of HostCalls.def and of MathTable.
// On the data's way: Refusal asks whether a called function is one; Compiler
// links them. Threads: constant tables.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_HOSTCALLS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_HOSTCALLS_H

#include "MathTable.h"

#include <vector>

namespace blockmaestro {

/// All of them.
std::vector<HostFunction> hostCalls();

/// Whether generated code may call a function \p Name that has no body.
bool isHostCall(llvm::StringRef Name);

} // namespace blockmaestro

#endif
