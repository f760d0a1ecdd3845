// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a module's device variables as host memory.
// On the data's way: compiled once per module, before its first kernel.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEGLOBALS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEGLOBALS_H

#include <set>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Leaves in \p M nothing but the definitions of its device globals, under
/// their globalName() for module number \p Ordinal and writable. Globals whose
/// name is in \p Known are there already and become declarations; the rest is
/// added to it. A global that holds the address of a function is left out.
void keepDeviceGlobals(llvm::Module &M, unsigned Ordinal,
                       std::set<std::string> &Known);

} // namespace blockmaestro

#endif
