// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: from the code of one thread to the code of one block,
// `void Name(ptr Context)`.
// On the data's way: after Retarget; the module is then optimised and compiled.
// Two forms: without barriers the block is three loops around the thread's
// code, which LLVM can vectorise. With barriers every thread is a switched-
// resume coroutine that suspends at each barrier:
//   for every thread: Handle[thread] = start(thread)     up to its first
//   barrier while any thread has not finished: resume every thread that has not
// A thread that returned no longer takes part, so it counts as arrived.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_BLOCKFUNCTION_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_BLOCKFUNCTION_H

#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

/// Adds the block function \p Name around the thread's code \p Body.
void makeBlockFunction(llvm::Function &Body, const std::string &Name);

/// Makes \p Body, which has block barriers, a coroutine
/// `ptr(ptr Context, i32 tidx, i32 tidy, i32 tidz)` that returns its handle.
llvm::Function *makeCoroutine(llvm::Function &Body);

} // namespace blockmaestro

#endif
