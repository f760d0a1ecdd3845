// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which functions a call may run, as far as the module shows it.
// On the data's way: asked by everything that looks through calls.
// Invariants: a list of targets is complete or said not to be. Threads: no
// state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_CALLS_H
#define BLOCKMAESTRO_PASSES_DEVICE_CALLS_H

#include <vector>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Remembers in M that no other file has device code that M's kernels can
/// call: it was compiled without -fgpu-rdc.
void markWhole(llvm::Module &M);
bool isWhole(const llvm::Module &M);

/// Functions with a body that a call may run.
struct CallTargets {
  std::vector<const llvm::Function *> Functions;
  bool Complete = true; ///< False: it may run others, too.
};

/// The targets of Call; none and complete for intrinsics, assembly and named
/// functions without a body. A call through a pointer may run every function
/// of its type whose address is taken, and others if the module is not whole.
CallTargets targetsOf(const llvm::CallBase &Call);

/// Whether Call takes memory from the device's heap, or gives it back.
bool isAllocation(const llvm::CallBase &Call);
bool isRelease(const llvm::CallBase &Call);

/// F and every function with a body it may run, directly or not, in the order
/// they are met.
std::vector<const llvm::Function *> reachableFrom(const llvm::Function &F);

} // namespace blockmaestro

#endif
