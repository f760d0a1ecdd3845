// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a kernel's footprint as an analysis of LLVM, and the analyses
// that a canonicalised module is asked for it.
// On the data's way: Canonicalize -> here -> Footprints.
// Invariants: the analysis is of a canonicalised kernel; what one of any other
// form touches is not found.
// Threads: one per LLVMContext.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_FOOTPRINTANALYSIS_H
#define BLOCKMAESTRO_PASSES_DEVICE_FOOTPRINTANALYSIS_H

#include "blockmaestro/Footprint.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace blockmaestro {

class FootprintAnalysis : public llvm::AnalysisInfoMixin<FootprintAnalysis> {
public:
  struct Result {
    Footprint Bytes;
    bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &PA,
                    llvm::FunctionAnalysisManager::Invalidator &) {
      return !PA.getChecker<FootprintAnalysis>().preserved();
    }
  };
  Result run(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM);

private:
  friend llvm::AnalysisInfoMixin<FootprintAnalysis>;
  static llvm::AnalysisKey Key;
};

/// LLVM's own analyses and the one above, for a module made for analysis.
class AnalysisManagers {
public:
  AnalysisManagers();
  llvm::FunctionAnalysisManager &functions() { return Functions; }
  llvm::ModuleAnalysisManager &modules() { return Modules; }

private:
  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager Components;
  llvm::ModuleAnalysisManager Modules;
};

} // namespace blockmaestro

#endif
