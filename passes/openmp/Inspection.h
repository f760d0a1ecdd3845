// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes the inspection functions of target regions
// (runtime/openmp/TaskInterface.h) from the host's versions of these.
// On the data's way: the host's code as clang writes it -> here -> TaskTable,
// when the device has been compiled.
// Invariants: what stands for a region has no call and no access to memory in
// it of which it is not known that one thread of the host does with it what the
// region's threads do. Regions where that cannot be are named with the reason.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_INSPECTION_H
#define BLOCKMAESTRO_PASSES_OPENMP_INSPECTION_H

#include "TaskSites.h"

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

/// A function `void (ptr Arguments)` that inspects Region. Fails with the
/// reason, in which case nothing has changed.
llvm::Expected<llvm::Function *> addInspection(llvm::Function &Region,
                                               const TaskSites &Sites);

} // namespace blockmaestro

#endif
