// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lockstep.h"

#include "KernelForm.h"
#include "WarpLowering.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// What the lanes have done in shared memory since they last waited for each
/// other. Where the lanes may part, what others have still to do in a loop or
/// branch is as if it had been done: WrittenBefore says that there is such.
enum Done : uint8_t { Nothing = 0, Read = 1, Written = 2, WrittenBefore = 4 };

bool pointsOnlyToShared(const Value *Pointer) {
  auto Shared = [](const Value *V) {
    return V->getType()->getPointerAddressSpace() ==
           NVPTXAS::ADDRESS_SPACE_SHARED;
  };
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return Shared(Pointer) || any_of(Objects, Shared);
}

/// What \p I does as a volatile access of shared memory.
Done volatileAccess(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (Load && Load->isVolatile() &&
      pointsOnlyToShared(Load->getPointerOperand()))
    return Read;
  if (Store && Store->isVolatile() &&
      pointsOnlyToShared(Store->getPointerOperand()))
    return Written;
  return Nothing;
}

/// Whether the lanes wait for each other at \p I: not in the rounds of a loop
/// that each makes for itself.
bool isWait(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && mayWait(*Call) &&
         Call->getCalledFunction()->getName() != YieldMarker;
}

/// Whether \p Next could meet what another lane has done in \p Before.
bool conflict(unsigned Before, Done Next) {
  return (Next == Read && (Before & Written)) ||
         (Next == Written && (Before & (Read | Written)));
}

/// What has been done behind \p I, if \p Before had been in front of it.
unsigned after(unsigned Before, const Instruction &I) {
  if (isWait(I))
    return Nothing;
  const Done Own = volatileAccess(I);
  const unsigned Kept = conflict(Before, Own) ? Before & WrittenBefore : Before;
  return Kept | Own | (Own == Written ? WrittenBefore : Nothing);
}

/// What has been done behind the end of \p Block.
unsigned behind(unsigned Before, const BasicBlock &Block) {
  const bool Parts = Block.getTerminator()->getNumSuccessors() > 1;
  return Parts && (Before & WrittenBefore) ? Before | Written : Before;
}

/// What each block of a function finds done at its start.
class LockstepState {
public:
  explicit LockstepState(Function &F) : Order(&F) {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : Order)
        Changed |= pass(*Block);
    }
  }
  unsigned atStart(const BasicBlock &Block) const {
    return Start.lookup(&Block);
  }

private:
  bool pass(BasicBlock &Block) {
    unsigned State = atStart(Block);
    for (const Instruction &I : Block)
      State = after(State, I);
    State = behind(State, Block);
    bool Changed = false;
    for (BasicBlock *Next : successors(&Block)) {
      unsigned &Known = Start[Next];
      Changed |= (State & ~Known) != 0;
      Known |= State;
    }
    return Changed;
  }

  ReversePostOrderTraversal<Function *> Order;
  DenseMap<const BasicBlock *, unsigned> Start;
};

void markBefore(Instruction &I) {
  IRBuilder<> B(&I);
  FunctionCallee Marker =
      I.getModule()->getOrInsertFunction(LockstepMarker, B.getVoidTy());
  B.CreateCall(Marker)->setDebugLoc(I.getDebugLoc());
}

} // namespace

void markLockstep(Function &F) {
  const LockstepState State(F);
  for (BasicBlock &Block : F) {
    unsigned Before = State.atStart(Block);
    for (Instruction &I : make_early_inc_range(Block)) {
      if (conflict(Before, volatileAccess(I)))
        markBefore(I);
      Before = after(Before, I);
    }
  }
}

} // namespace blockmaestro
