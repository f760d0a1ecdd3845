// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which tasks all threads of a block may run together, so that
// their `parallel`s are mere calls.
// On the data's way: optimized code of a task on the device, before the device
// runtime is linked.
// Invariants: outside of its `parallel`s such a task changes nothing but its
// own variables, each thread has those for itself, and all have the same values
// in them, since the `parallel`s only read them.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKTHREADS_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKTHREADS_H

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

/// Makes Code, `void (ptr Record)`, what all threads may run, if it has a
/// `parallel` and can be that; whether it is.
bool runByAllThreads(llvm::Function &Code);

} // namespace blockmaestro

#endif
