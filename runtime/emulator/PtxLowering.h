// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: inline PTX becomes IR and NVVM intrinsics.
// On the data's way: the first thing done to a device module, before anything
// is inlined, so that no later step sees inline assembly.
// Invariants: a statement is lowered as a whole or left as it is, marked with
// why. Warp operations, barriers and special registers become the NVVM
// intrinsics that clang's builtins become. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_PTXLOWERING_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_PTXLOWERING_H

#include <string>

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Lowers every inline assembly statement of \p M that can be; the others stay.
void lowerInlineAsm(llvm::Module &M);

/// Why the inline assembly \p Asm was left: "contains the PTX instruction ...".
std::string whyAsmRefused(const llvm::CallBase &Asm);

} // namespace blockmaestro

#endif
