// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one kernel's analysis: LLVM's analyses of it and the parts of
// ours, which ask each other: an index may hang on a condition, a condition on
// an index, a loop on both.
// On the data's way: made by the footprint builder for one kernel.
// Ownership: owns the parts and the footprint in the making; refers to LLVM's
// analyses. Threads: one.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_KERNELANALYSIS_H
#define BLOCKMAESTRO_PASSES_DEVICE_KERNELANALYSIS_H

#include "Conditions.h"
#include "DomainSimplifier.h"
#include "Guards.h"
#include "Limits.h"
#include "LoopShapes.h"
#include "ScevPolynomials.h"
#include "SymbolTable.h"
#include "Values.h"

namespace llvm {
class AssumptionCache;
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace blockmaestro {

struct KernelAnalysis {
  KernelAnalysis(llvm::ScalarEvolution &SE, llvm::LoopInfo &LI,
                 llvm::DominatorTree &DT, llvm::AssumptionCache &AC)
      : SE(SE), LI(LI), DT(DT), AC(AC) {}
  KernelAnalysis(const KernelAnalysis &) = delete;
  KernelAnalysis &operator=(const KernelAnalysis &) = delete;

  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::AssumptionCache &AC;
  Footprint F;
  Budget Effort;
  DomainSimplifier Simplifier;
  SymbolTable Symbols{F};
  LoopShapes Loops{*this};
  ScevPolynomials Scev{*this};
  Values Unfollowed{*this};
  Conditions Tests{*this};
  GuardFinder Guards{*this};
};

} // namespace blockmaestro

#endif
