// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: says in the code that a call may not come back, because what it
// runs may end the thread.
// On the data's way: part of canonicalisation, once assembly is expanded; the
// guards then see one more way that ends.
// Invariants: behind every call that stays, unless all that it may run comes
// back or ends the kernel, stands an exit under a condition of which nothing is
// known. Threads: one per LLVMContext.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_THREADENDS_H
#define BLOCKMAESTRO_PASSES_DEVICE_THREADENDS_H

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Adds the exits to the functions of M, a copy made for analysis.
void expandThreadEnds(llvm::Module &M);

} // namespace blockmaestro

#endif
