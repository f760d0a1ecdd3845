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

/// Which threads the loops run, in x.
struct ThreadSpan {
  llvm::Value *Begin = nullptr; ///< i32; null for 0.
  llvm::Value *End = nullptr;   ///< i32; null for the block's extent.
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
            llvm::ArrayRef<llvm::Value *> Starts,
            llvm::function_ref<void(const ThreadPlace &)> Code);

private:
  using LoopCode = llvm::function_ref<void(
      llvm::Value *Index, llvm::ArrayRef<llvm::Value *> Along)>;
  void emitLoop(ThreadSpan Span, bool MayBeEmpty,
                llvm::ArrayRef<llvm::Value *> Starts, llvm::MDNode *Group,
                LoopCode Code);

  llvm::IRBuilder<> &B;
  llvm::ArrayRef<llvm::Value *> Extents;
};

/// Marks \p I as an access of \p Group.
void setAccessGroup(llvm::Instruction &I, llvm::MDNode *Group);

} // namespace blockmaestro

#endif
