// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Note [Narrow indices]
// ~~~~~~~~~~~~~~~~~~~~~
// x[b * 32 + (t + 19) % 32] reads neighbours in a row but where the remainder
// begins again. LLVM 22 sees a number of five bits that grows with t, widened
// and added to b * 32, and vectorises under two conditions asked at run time:
// that the five bits do not wrap, and that the sum does not. Then it takes the
// first for one that the second implies, though its type is narrower
// (llvm-project#118184), and asks only the second: threads behind the wrap read
// beyond the row. A frozen value is none that it knows to grow, so each lane
// computes its own address.

#include "NarrowIndices.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr unsigned IndexBits = 32;

/// Whether V is a narrower number, which may wrap, that grows along a loop.
bool growsNarrowly(const SCEV *V) {
  const auto *Cast = dyn_cast<SCEVIntegralCastExpr>(V);
  if (!Cast || isa<SCEVTruncateExpr>(Cast))
    return false;
  const SCEV *Narrow = Cast->getOperand();
  return isa<SCEVAddRecExpr>(Narrow) && Narrow->getType()->isIntegerTy() &&
         Narrow->getType()->getIntegerBitWidth() < IndexBits;
}

} // namespace

PreservedAnalyses NarrowIndicesPass::run(Function &F,
                                         FunctionAnalysisManager &Known) {
  auto &SE = Known.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<Instruction *> Found;
  for (Instruction &I : instructions(F))
    if ((isa<BinaryOperator>(I) || isa<CastInst>(I)) &&
        I.getType()->isIntegerTy() && growsNarrowly(SE.getSCEV(&I)))
      Found.push_back(&I);
  for (Instruction *I : Found) {
    IRBuilder<> Build(I->getNextNode());
    Value *Frozen = Build.CreateFreeze(I);
    I->replaceUsesWithIf(Frozen, [&](Use &U) { return U.getUser() != Frozen; });
  }
  return Found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace blockmaestro
