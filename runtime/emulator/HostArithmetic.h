// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the GPU's arithmetic has a result and the host's traps or
// has another one: division, and conversion of numbers that do not fit.
// On the data's way: part of Retarget.
// Invariants: x / 0 has all bits set and x % 0 is x; the smallest number
// divided by -1 is itself. Floating point to integer takes the nearest number
// there is; NaN becomes 0, or the highest bit alone where 64 bits are involved.
// What is known not to happen costs nothing.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_HOSTARITHMETIC_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_HOSTARITHMETIC_H

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

void lowerArithmetic(llvm::Function &F);

} // namespace blockmaestro

#endif
