// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what compilers for GPUs do to a kernel before they generate code,
// as far as it changes how many instructions and accesses there are.
// On the data's way: between KernelSource and Costs where costs are counted:
// what is counted is closer to what a GPU executes.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEPASSES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEPASSES_H

#include "llvm/IR/PassManager.h"

namespace blockmaestro {

/// What is left to simplify once loops have been unrolled.
void addSimplification(llvm::FunctionPassManager &To);

/// Moves what does not change out of loops, unrolls loops of a few known
/// iterations, and computes once what is the same, as the target of DeviceInfo
/// has it.
void optimizeForDevice(llvm::Module &M);

} // namespace blockmaestro

#endif
