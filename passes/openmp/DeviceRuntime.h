// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: links the device runtime of OpenMP (runtime/openmp/device) into
// the device code of a program.
// On the data's way: behind clang's own optimizations for OpenMP, which know
// the runtime's functions by their calls. AlwaysInlinerPass comes next, before
// clang's optimizations for OpenMP may look at the module again, and then the
// ordinary ones. A module is linked once.
// Invariants: afterwards nothing of the runtime can be seen from outside of the
// module, but the kernels of tasks.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_DEVICERUNTIME_H
#define BLOCKMAESTRO_PASSES_OPENMP_DEVICERUNTIME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Links what \p DeviceCode needs of the bitcode files in \p Folder: of
/// libblockmaestro-openmp.bc, and, with \p Tasks, all of
/// libblockmaestro-openmp-tasks.bc, whose kernels call the functions that say
/// what kinds of tasks the module has (TaskKernels.cu). Fails with the names of
/// what the program calls and the runtime does not have.
llvm::Error linkDeviceRuntime(llvm::Module &DeviceCode, llvm::StringRef Folder,
                              bool Tasks);

/// Moves the variables of \p F that a `parallel` in it reaches by address from
/// the thread's own memory to the team's. For code of one thread that clang
/// took for code of a thread of a team, as the tasks of `target parallel`,
/// before linkDeviceRuntime().
void shareLocals(llvm::Function &F);

} // namespace blockmaestro

#endif
