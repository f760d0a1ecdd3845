// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which bytes tasks touch: footprints of kernels whose only
// argument is a task's record, by value, as the host writes it.
// On the data's way: a copy of the device's code before it is optimized ->
// here, with what passes/device knows of kernels -> ClauseWidths.
//
// Note [Records as arguments]
// The kernel of a task copies its argument to a record of its own, whose
// shareds and copied variables it points to, and calls the task's code. So
// numbers and pointers that the task gets by value are symbols and roots of the
// footprint, and variables that it reaches by address have their addresses as
// roots. Variables whose values go with the record (CopiedVariable) are not in
// the footprint.
//
// Invariants: as Footprint.h says, where all threads of a block run the task.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKFOOTPRINTS_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKFOOTPRINTS_H

#include "TaskLayout.h"

#include "blockmaestro/Footprint.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

/// A kernel of the module that takes so many bytes by value, without a body.
llvm::Function *addRecordKernel(llvm::Module &M, uint64_t Bytes,
                                const llvm::Twine &Name);

/// By kind: of the functions Codes, `void (ptr Record)`, of a copy of the
/// module that nobody needs afterwards. Behind them those of More, kernels that
/// have been added to the copy.
std::vector<Footprint> taskFootprints(llvm::Module &Copy,
                                      llvm::ArrayRef<std::string> Codes,
                                      llvm::ArrayRef<KindLayout> Kinds,
                                      llvm::ArrayRef<llvm::Function *> More);

} // namespace blockmaestro

#endif
