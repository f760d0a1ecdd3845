// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the code of one thread of a kernel for the host, under
// construction: what every step after Retarget reads and rewrites.
// On the data's way: made by Retarget; NvvmLowering, WarpLowering,
// DeviceLibrary and the checks replace calls in it; BlockFunction or the fiber
// entry takes the body.
// Invariants: every function in Functions takes (ptr Context, i32 x, i32 y,
// i32 z) first; Body is the first of them, and of a kernel it takes nothing
// else. Each begins with a block of its own, `bm.entry`, which has all allocas
// of constant size and whatever does not change while the thread runs.
// Instructions keep their debug locations until the last of these steps.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_THREADCODE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_THREADCODE_H

#include "KernelForm.h"
#include "SourceSites.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace blockmaestro {

/// How many parameters functions have before their own.
inline constexpr unsigned LeadingParameters = 4;

struct ThreadCode {
  KernelForm Form = KernelForm::ThreadLoop;
  /// Otherwise a function that is called through its address.
  bool IsKernel = true;
  llvm::Function *Body = nullptr;
  llvm::SmallVector<llvm::Function *> Functions;
  SourceSites Sites;
  /// Bytes of static shared memory; the dynamic part follows.
  uint64_t StaticShared = 0;
  /// See KernelFacts.
  uint32_t ReservedShared = ~0u;

  static llvm::Value *context(llvm::Function &F) { return F.getArg(0); }
  /// Where values that do not change while the thread runs are computed.
  static llvm::IRBuilder<> entry(llvm::Function &F) {
    return llvm::IRBuilder<>(F.getEntryBlock().getTerminator());
  }
  /// The i32 number of the thread in its block, x fastest, as the GPU numbers
  /// them; computed once, where \p F begins.
  llvm::Value *linearThread(llvm::Function &F);

private:
  llvm::DenseMap<llvm::Function *, llvm::Value *> Linear;
};

} // namespace blockmaestro

#endif
