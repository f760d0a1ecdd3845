// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: finds the loops in which a thread waits for another one, so that
// the other one gets to run.
// On the data's way: once a kernel is inlined and before its form is chosen;
// the markers it leaves make the form Fibers.
// Invariants: a loop waits when its exit depends on a volatile or atomic load,
// or on an atomic operation that does the same again and again: exchanging or
// comparing with values that do not change in the loop; exits that only end the
// program count where it has no others. A loop that waits and is not found
// hangs; one that is found and does not wait is slower, and may be given up as
// stuck.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_SPINLOOPS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_SPINLOOPS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Where a thread would go on forever: a loop without an exit.
inline constexpr const char *StuckMarker = "bm.stuck";

/// Puts YieldMarker on the way back of every loop of \p F that waits, and
/// StuckMarker into those that nothing leaves.
void markSpinLoops(llvm::Function &F);

/// Makes the loops that nothing leaves report that their thread is stuck, in
/// optimised code whose functions take the context first: a loop that waits for
/// a plain variable has become one of those.
void stopEndlessLoops(llvm::Module &M);

} // namespace blockmaestro

#endif
