// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the row of threads in x as a range of indices: values that grow
// by one from thread to thread, and the comparisons of them that end a thread
// where it begins (`if (i >= n) return;`); and what can be done once for the
// row. See Note [Guards] in Guards.cpp.
// On the data's way: found in a body without barriers; the thread loop then
// runs only the threads that pass.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_GUARDS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_GUARDS_H

#include "ThreadLoops.h"

#include "llvm/IR/InstrTypes.h"

namespace llvm {
class LoadInst;
} // namespace llvm

namespace blockmaestro {

class LaunchConstants;

/// The i32 `sum of Terms + threadIdx.x`.
struct RowValue {
  llvm::SmallVector<llvm::Value *, 2> Terms; ///< Launch constants.
  llvm::Instruction *Where = nullptr; ///< What computes it; null for a part.
};

/// `Row Predicate Limit` holds for every thread that does anything.
struct RowBound {
  unsigned Row; ///< In RowGuards::Rows.
  llvm::CmpInst::Predicate Predicate;
  llvm::Value *Limit; ///< A launch constant, i32 or i64.
  bool Signed;        ///< How the row was widened to compare.
};

/// `Condition == Holds` for every thread that does anything; the same for all
/// threads of a row.
struct RowCondition {
  llvm::Value *Condition;
  bool Holds;
};

struct RowGuards {
  llvm::SmallVector<RowValue> Rows;
  llvm::SmallVector<RowBound> Bounds;
  llvm::SmallVector<RowCondition> Conditions;
  /// Loads of the same address by every thread of a row that passes, before it
  /// writes anything.
  llvm::SmallVector<llvm::LoadInst *> Early;
};

/// Finds the rows and guards of \p Body and removes the guards from it.
RowGuards takeGuards(llvm::Function &Body, const LaunchConstants &Constants);

/// One part of a row in which no row value wraps around.
struct RowPart {
  ThreadSpan Span;
  llvm::SmallVector<llvm::Value *> Starts; ///< Of each row, at Span.Begin.
};

/// Emits a loop over the parts of a row, of which there is one unless a value
/// wraps in this block; \p Constant maps launch constants, \p Code emits the
/// threads of a part.
void forEachPart(llvm::IRBuilder<> &B, const RowGuards &Guards,
                 llvm::Value *Extent,
                 llvm::function_ref<llvm::Value *(llvm::Value *)> Constant,
                 llvm::function_ref<void(const RowPart &)> Code);

} // namespace blockmaestro

#endif
