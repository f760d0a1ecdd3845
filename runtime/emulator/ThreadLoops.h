// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the loops over the threads of a block, in the form LLVM
// vectorises. See Note [Thread loops] in ThreadLoops.cpp.
// On the data's way: emitted by Regions around the code of a thread.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_THREADLOOPS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_THREADLOOPS_H

#include "llvm/IR/IRBuilder.h"

namespace blockmaestro {

/// One thread inside the loops.
struct ThreadPlace {
  llvm::Value *Index[3];
  llvm::Value *Linear; ///< i64, x fastest.
  /// The values asked for with \p Starts.
  llvm::SmallVector<llvm::Value *> Along;
};

/// Which threads the loops run, in x, as i32; with nulls all of the block's.
struct ThreadSpan {
  llvm::Value *Begin = nullptr;
  llvm::Value *End = nullptr;
};

/// What is done once per row of threads, which differ in x only.
struct RowCode {
  /// Whether the row runs, or null if it does; asked where its \p Y and \p Z
  /// are known.
  llvm::function_ref<llvm::Value *(llvm::Value *Y, llvm::Value *Z)> Runs;
  /// Emitted where the row runs, so that at least one thread does.
  llvm::function_ref<void()> Begin;
};

class ThreadLoops {
public:
  ThreadLoops(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Extents)
      : B(B), Extents(Extents) {}

  /// Emits \p Code once, inside loops over all threads, ascending. It leaves
  /// the builder where the thread ends. Memory accesses marked with \p Group
  /// are independent between threads. Values that are \p Starts where the span
  /// begins and grow by one, without wrapping, are made for each thread.
  void emit(llvm::MDNode *Group, ThreadSpan Span,
            llvm::ArrayRef<llvm::Value *> Starts, RowCode OfRow,
            llvm::function_ref<void(const ThreadPlace &)> Code);

private:
  using LoopCode = llvm::function_ref<void(
      llvm::Value *Index, llvm::ArrayRef<llvm::Value *> Along)>;
  void emitLoop(ThreadSpan Span, llvm::ArrayRef<llvm::Value *> Starts,
                llvm::MDNode *Group, LoopCode Code);
  void emitRow(ThreadSpan Span, RowCode OfRow, llvm::Value *Y, llvm::Value *Z,
               llvm::function_ref<void()> Threads);

  llvm::IRBuilder<> &B;
  llvm::ArrayRef<llvm::Value *> Extents;
};

/// Marks \p I as an access of \p Group too.
void setAccessGroup(llvm::Instruction &I, llvm::MDNode *Group);

} // namespace blockmaestro

#endif
