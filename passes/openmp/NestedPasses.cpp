// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NestedPasses.h"

using namespace llvm;

namespace blockmaestro {
namespace {

struct Analyses {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Calls;
  ModuleAnalysisManager Modules;

  Analyses() {
    PassBuilder Builder;
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Calls);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Calls, Modules);
  }
};

} // namespace

void runNested(Module &M, ModulePassManager Passes) {
  Analyses Own;
  Passes.run(M, Own.Modules);
}

void runNested(Function &F, FunctionPassManager Passes) {
  Analyses Own;
  Passes.run(F, Own.Functions);
}

} // namespace blockmaestro
