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

/// Tells the mbarrier at \p Barrier that \p Bytes, an i64, have come.
void ptxCompleteBytes(PtxCode &C, llvm::Value *Barrier, llvm::Value *Bytes);

/// cp.async.bulk and cp.reduce.async.bulk, with these words taken.
void ptxBulkCopy(PtxCode &C, PtxInstruction &I);
void ptxBulkReduction(PtxCode &C, PtxInstruction &I);
/// st.async and red.async, with "async" taken: the last operand is an mbarrier
/// that hears of the bytes.
void ptxStoreAsync(PtxCode &C, PtxInstruction &I);
void ptxReduceAsync(PtxCode &C, PtxInstruction &I);

/// The update \p Name ("add", "min" ...) of one number of \p Type at \p Address
/// with \p With; the bits before, or null where there is no such update.
llvm::Value *ptxUpdate(PtxCode &C, llvm::StringRef Name, const PtxAccess &A,
                       PtxType Type, llvm::Value *Address, llvm::Value *With);

/// cp.async.mbarrier.arrive, which has just "cp", "async" and "mbarrier" taken.
void ptxArriveAfterCopies(PtxCode &C, PtxInstruction &I);

} // namespace blockmaestro

#endif
