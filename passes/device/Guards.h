// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: under which conditions a basic block of a kernel runs, as
// constraints on polynomials.
// On the data's way: the guards of an access's domain.
// Invariants: the block runs only where all constraints hold; Inexact is empty
// only if it runs wherever they hold. Assumptions are what the constraints
// rest on. Ownership: refers to the analyses given. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_GUARDS_H
#define BLOCKMAESTRO_PASSES_DEVICE_GUARDS_H

#include "ScevPolynomials.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
} // namespace llvm

namespace blockmaestro {

struct Guards {
  std::vector<Constraint> Constraints;
  std::vector<Assumption> Assumptions;
  std::optional<Rejection> Inexact;
};

class GuardFinder {
public:
  GuardFinder(llvm::ScalarEvolution &SE, llvm::LoopInfo &LI,
              llvm::DominatorTree &DT, ScevPolynomials &Scev, Footprint &F)
      : SE(SE), LI(LI), DT(DT), Scev(Scev), F(F) {}

  /// The guards of Block, the outermost first.
  Guards find(const llvm::BasicBlock *Block);

private:
  void addEdge(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
               Guards &G);
  bool addCondition(const llvm::Value *Condition, bool Holds,
                    const llvm::Loop *Scope, Guards &G);
  bool addComparison(const llvm::Value *Condition, bool Holds,
                     const llvm::Loop *Scope, Guards &G);
  bool alwaysReaches(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                     bool AroundLoop) const;

  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  ScevPolynomials &Scev;
  Footprint &F;
};

} // namespace blockmaestro

#endif
