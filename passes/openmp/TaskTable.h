// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the host's code says to the runtime about regions with tasks
// (runtime/openmp/TaskInterface.h).
// On the data's way: the host's code as clang writes it, which is looked at
// when the device's has been compiled -> here -> the runtime, before main.
// Invariants: where both sides' tasks are not the same, there is no table and a
// warning.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKTABLE_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Whether M has target regions, and its device code is another module.
bool hasTargetRegions(const llvm::Module &M);

/// Adds the table, with the inspection functions of M's regions, by what the
/// device's compilations have said. Remarks say where a region cannot be
/// inspected.
llvm::Error addTaskTable(llvm::Module &M, llvm::ArrayRef<std::string> Layouts);

} // namespace blockmaestro

#endif
