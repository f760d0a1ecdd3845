// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: gives every function of a kernel's module the four parameters
// that say which thread runs it, and every call their values.
// On the data's way: first part of Retarget.
// Invariants: a call through a pointer gets them too, so an address of device
// code is always of such a function. Whatever uses an address takes it from the
// function's own module (functionName()); direct calls stay in this one.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_SIGNATURES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_SIGNATURES_H

#include "ThreadCode.h"

namespace blockmaestro {

/// Rewrites the module of \p Root. Of a kernel, Root's own parameters are left
/// to the caller: the new body takes none, and Root stays behind without code.
/// Otherwise the body takes them after the four and has Root's name. Fills
/// T.Body and T.Functions.
void giveThreadParameters(llvm::Function &Root, ThreadCode &T);

} // namespace blockmaestro

#endif
