// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReadHoisting.h"

#include "AccessMarks.h"
#include "Predication.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// What one read needs of its block, itself last.
using Parts = SmallSetVector<Instruction *, 8>;

/// Adds what \p I needs of its block; whether all of it may be in front.
bool addParts(Instruction &I, Parts &To) {
  for (Value *Each : I.operands()) {
    auto *Part = dyn_cast<Instruction>(Each);
    if (!Part || Part->getParent() != I.getParent() || To.contains(Part))
      continue;
    if (isa<PHINode>(Part) || Part->mayReadOrWriteMemory() ||
        !isSafeToSpeculativelyExecute(Part) || !addParts(*Part, To))
      return false;
  }
  To.insert(&I);
  return true;
}

bool isRead(const Instruction &I) { return isa<LoadInst>(I) && isPlain(I); }

/// Whether a read may not pass \p I.
bool staysBehind(const Instruction &I) {
  return cutsStep(I) || (I.mayReadOrWriteMemory() && !isa<LoadInst>(I));
}

/// Moves the reads with which \p From begins to the end of \p To.
void moveReads(BasicBlock &From, BasicBlock &To) {
  for (Instruction &I : make_early_inc_range(From)) {
    if (staysBehind(I))
      return;
    Parts Moved;
    if (!isRead(I) || !addParts(I, Moved))
      continue;
    for (Instruction *Each : Moved)
      Each->moveBefore(To.getTerminator()->getIterator());
  }
}

/// Where \p B and a block that a predicate of its executes both go, and nothing
/// else; null where there is none, or the latter writes.
BasicBlock *behindPredicated(BasicBlock &B) {
  BasicBlock *Predicated = predicatedBehind(B);
  if (!Predicated || any_of(*Predicated, staysBehind))
    return nullptr;
  BasicBlock *Behind = Predicated->getSingleSuccessor();
  return Behind->hasNPredecessors(2) ? Behind : nullptr;
}

} // namespace

void hoistReads(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    for (BasicBlock *Each : post_order(&F))
      if (BasicBlock *Behind = behindPredicated(*Each))
        moveReads(*Behind, *Each);
  }
}

} // namespace blockmaestro
