// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the form of a kernel that a recording on a GPU runs: the kernel
// as the optimiser has left it, and around it one thread's notes of when the
// block ran. On the data's way: kernels are marked at the start of the device
// pipeline, by BlockVariants, and copied at its end. The page is
// docs/variants.md. Invariants: the code is the kernel's own, loads that may be
// stale among it: the form may not start before the launch in front has
// completed. Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_TIMEDVARIANTS_H
#define BLOCKMAESTRO_PASSES_DEVICE_TIMEDVARIANTS_H

#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

/// How the threads of a block leave its body.
enum class Leaving {
  Together, ///< Those that have left may wait for the others.
  OneByOne, ///< They must really exit.
};

/// What the timed variant of the kernel of this name is called.
std::string timedSymbolOf(const std::string &Kernel);

/// Has Kernel get a timed variant at the end of the pipeline.
void markTimed(llvm::Function &Kernel, Leaving How);

/// Adds the timed variants of marked kernels. Returns whether there was one.
bool addTimedVariants(llvm::Module &M);

} // namespace blockmaestro

#endif
