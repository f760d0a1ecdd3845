// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: variables declared __managed__, which clang has for HIP only. Our
// header makes them variables of the device in a section of their own.
// On the data's way: first on either side, before anything looks at variables.
// Invariants: the device's variable is one in managed memory (PTX's
// .attribute(.managed)), and the host's code has its address wherever it uses
// it, asked for at the first use (cudaGetSymbolAddress); only what registers
// the variable, and CUDA's calls that take symbols and name it themselves, keep
// the host's own variable, whose address is the symbol. No section stays.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_MANAGEDVARIABLES_H
#define BLOCKMAESTRO_PASSES_MANAGEDVARIABLES_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Marks the device's managed variables.
void markManagedVariables(llvm::Module &DeviceCode);

/// Has the host's code use the memory of managed variables. Fails where the
/// address of one is needed before the program runs.
llvm::Error useManagedMemory(llvm::Module &HostCode);

} // namespace blockmaestro

#endif
