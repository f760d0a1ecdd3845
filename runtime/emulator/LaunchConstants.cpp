// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchConstants.h"

#include "BlockContext.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

/// Whether \p Pointer points into the BlockContext or into the arguments, so
/// that it can be read at any time.
bool isInContextOrArguments(const Value *Pointer, const Function &Body) {
  const DataLayout &Layout = Body.getParent()->getDataLayout();
  APInt Offset(64, 0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      Layout, Offset, /*AllowNonInbounds=*/true);
  if (Base == Body.getArg(0))
    return true;
  const auto *Load = dyn_cast<LoadInst>(Base);
  if (!Load)
    return false;
  APInt Field(64, 0);
  const Value *Context =
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          Layout, Field, /*AllowNonInbounds=*/true);
  return Context == Body.getArg(0) &&
         Field == offsetof(BlockContext, Arguments);
}

/// Whether \p I computes the same from the same operands, early and without
/// harm.
bool isPure(const Instruction &I, const Function &Body) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->hasMetadata(LLVMContext::MD_invariant_load) &&
           isInContextOrArguments(Load->getPointerOperand(), Body);
  if (isa<PHINode, AllocaInst>(I) || I.isTerminator() ||
      I.mayReadOrWriteMemory() || I.getType()->isTokenTy())
    return false;
  return isSafeToSpeculativelyExecute(&I);
}

} // namespace

LaunchConstants::LaunchConstants(Function &Body, Of Scope)
    : Body(Body), Scope(Scope) {
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&Body))
    for (Instruction &I : *Block)
      if (!I.getType()->isVoidTy() && isPure(I, Body) &&
          !(Scope == Of::Row && isa<FreezeInst>(I)) &&
          all_of(I.operands(), [&](const Use &U) { return contains(U); }))
        Found.insert(&I);
}

bool LaunchConstants::contains(const Value *V) const {
  if (isa<Constant>(V) || V == Body.getArg(0))
    return true;
  if (Scope == Of::Row && (V == Body.getArg(2) || V == Body.getArg(3)))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  return I && Found.contains(const_cast<Instruction *>(I));
}

} // namespace blockmaestro
