// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the memory instructions of PTX have in common: address
// spaces, orders, hints.
// On the data's way: used by PtxMemory and PtxAtomic. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_PTXACCESS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_PTXACCESS_H

#include "PtxCode.h"

namespace blockmaestro {

/// How a memory instruction reaches memory.
struct PtxAccess {
  unsigned Space = 0; ///< 3: shared; every other one is flat.
  llvm::AtomicOrdering Order = llvm::AtomicOrdering::NotAtomic;
  bool Volatile = false;
  bool ReadOnly = false; ///< .nc
  unsigned Count = 1;    ///< .v2, .v4, .v8
};

/// Takes the modifiers of an access. Scopes make no difference: every order
/// holds for the whole system. Cache hints are dropped.
PtxAccess takePtxAccess(PtxInstruction &I);

/// Replaces the bits at \p Address by what \p Next makes of them, in one step;
/// the bits before. \p Next must have no effect.
llvm::Value *
exchangeLoop(PtxCode &C, llvm::Value *Address, llvm::Type *T, bool Volatile,
             llvm::function_ref<llvm::Value *(llvm::Value *)> Next);

/// cp.async.mbarrier.arrive, which has just "cp", "async" and "mbarrier" taken.
void ptxArriveAfterCopies(PtxCode &C, PtxInstruction &I);

} // namespace blockmaestro

#endif
