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
} // namespace llvm

namespace blockmaestro {

/// Functions with a body that a call may run.
struct CallTargets {
  std::vector<const llvm::Function *> Functions;
  bool Complete = true; ///< False: it may run others, too.
};

/// The targets of Call; none and complete for intrinsics, assembly and named
/// functions without a body. The targets of a call through a pointer are known
/// where it is chosen among functions or read from a constant table of them.
/// Any other may lead to a function of another file, whatever the program was
/// compiled with: all device code of a process can be reached by address.
CallTargets targetsOf(const llvm::CallBase &Call);

/// Whether Call takes memory from the device's heap, or gives it back.
bool isAllocation(const llvm::CallBase &Call);
bool isRelease(const llvm::CallBase &Call);

/// F and every function with a body it may run, directly or not, in the order
/// they are met.
std::vector<const llvm::Function *> reachableFrom(const llvm::Function &F);

} // namespace blockmaestro

#endif
