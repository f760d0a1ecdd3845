// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Predication.h"

#include "Costs.h"
#include "IssuedSequences.h"
#include "KernelForm.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace blockmaestro {

/// Instructions of a block that is executed by a predicate instead of jumped
/// over.
static constexpr unsigned MostPredicated = 12;

const Function *calledBody(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && !Callee->isDeclaration() ? Callee : nullptr;
}

bool cutsStep(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && !Call->isInlineAsm() &&
         (Call->isIndirectCall() || calledBody(I) || mayWait(*Call));
}

/// Whether all of \p B can be: where it is entered one way and left one way.
static bool isPredicable(const BasicBlock &B) {
  unsigned Issued = 0;
  for (const Instruction &I : B) {
    if (cutsStep(I) || I.isAtomic() || isa<PHINode>(I) ||
        issuedSequenceOf(I).contains_insensitive("b"))
      return false;
    const bool IsTold = I.mayReadOrWriteMemory() && !isa<CallInst>(I);
    Issued += IsTold ? 1 : costClassOf(I) ? issuesOf(I) : 0;
  }
  return Issued <= MostPredicated + 1; // The branch at its end.
}

const BranchInst *predicateOf(const BasicBlock &B) {
  const BasicBlock *Before = B.getSinglePredecessor();
  const BasicBlock *Behind = B.getSingleSuccessor();
  const auto *Branch =
      Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  if (!Branch || Branch->isUnconditional() || !Behind || Behind == &B ||
      Behind == Before || !isPredicable(B))
    return nullptr;
  const BasicBlock *Other = Branch->getSuccessor(Branch->getSuccessor(0) == &B);
  return Other == Behind ? Branch : nullptr;
}

/// Whether \p B is executed by a predicate that \p Branch tells.
static bool isPredicatedBy(const BasicBlock &B, const Instruction &Branch) {
  return predicateOf(B) == &Branch;
}

BasicBlock *predicatedBehind(BasicBlock &B) {
  for (BasicBlock *Next : successors(&B))
    if (isPredicatedBy(*Next, *B.getTerminator()))
      return Next;
  return nullptr;
}

bool isReplacedByPredicate(const Instruction &I) {
  return I.isTerminator() &&
         (predicateOf(*I.getParent()) ||
          any_of(successors(I.getParent()), [&](const BasicBlock *Next) {
            return isPredicatedBy(*Next, I);
          }));
}

} // namespace blockmaestro
