// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: device code of OpenMP as a team of one thread would run it: all
// of a loop, every section, each single.
// On the data's way: a copy of a module made for analysis -> here ->
// TaskFootprints.
// Invariants: the code touches what all threads of any team together touch, as
// far as it does not ask for their numbers: what asks, and whatever else is not
// known here, stays a call of a function that nobody knows.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TEAMOFONE_H
#define BLOCKMAESTRO_PASSES_OPENMP_TEAMOFONE_H

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

void runByOneThread(llvm::Module &DeviceCode);

} // namespace blockmaestro

#endif
