// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: reads behind a block that a GPU executes by a predicate, issued
// in front of it.
// On the data's way: behind DeviceUnrolling where costs are counted: to an
// assembler such a block and what surrounds it are one, in whose order reads
// come first.
// Invariants: nothing is read that would not have been, and nothing earlier
// than a write in front of it.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_READHOISTING_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_READHOISTING_H

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

void hoistReads(llvm::Module &M);

} // namespace blockmaestro

#endif
