// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FootprintAnalysis.h"

#include "FootprintBuilder.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace blockmaestro {

AnalysisKey FootprintAnalysis::Key;

FootprintAnalysis::Result FootprintAnalysis::run(Function &Kernel,
                                                 FunctionAnalysisManager &FAM) {
  return {buildFootprint(Kernel, FAM.getResult<ScalarEvolutionAnalysis>(Kernel),
                         FAM.getResult<LoopAnalysis>(Kernel),
                         FAM.getResult<DominatorTreeAnalysis>(Kernel),
                         FAM.getResult<AssumptionAnalysis>(Kernel))};
}

AnalysisManagers::AnalysisManagers() {
  PassBuilder Builder;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  Functions.registerPass([] { return FootprintAnalysis(); });
}

} // namespace blockmaestro
