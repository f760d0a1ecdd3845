// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the depend clauses of a module's tasks as functions of the tasks'
// records: where each range begins and ends, in terms of what its creator puts
// into the record.
// On the data's way: a copy of the device's code before it is optimized ->
// here -> ClauseWidths.
// Invariants: a clause that cannot be expressed so is left out. Numbers that
// are not in the record have places behind it.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_DEPENDCLAUSES_H
#define BLOCKMAESTRO_PASSES_OPENMP_DEPENDCLAUSES_H

#include "TaskLayout.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace llvm {
class DILocation;
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

struct DependClause {
  uint32_t Kind = 0; ///< Of the task.
  uint8_t Flags = 0; ///< As kmp_depend_info has them.
  const llvm::DILocation *Where = nullptr;
  /// A kernel as those of TaskFootprints.h, which reads the first byte and
  /// writes the last one.
  llvm::Function *Ends = nullptr;
};

/// Changes the functions that create tasks. Entries: their names, by kind.
std::vector<DependClause> findDependClauses(llvm::Module &Copy,
                                            llvm::ArrayRef<std::string> Entries,
                                            llvm::ArrayRef<KindLayout> Kinds);

} // namespace blockmaestro

#endif
