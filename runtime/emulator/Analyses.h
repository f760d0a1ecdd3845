// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the analyses that LLVM's passes ask for, ready to run any of them
// over a module.
// On the data's way: used by every step that runs passes.
// Threads: one module at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_ANALYSES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_ANALYSES_H

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Passes/PassBuilder.h"

#include <optional>
#include <utility>

namespace blockmaestro {

struct Analyses {
  /// \p Target may be null: passes then know nothing of the processor but what
  /// \p Costs say, where they are given.
  explicit Analyses(llvm::TargetMachine *Target = nullptr,
                    std::optional<llvm::TargetIRAnalysis> Costs = std::nullopt)
      : Builder(Target) {
    if (Costs)
      OfFunctions.registerPass([&Costs] { return std::move(*Costs); });
    Builder.registerModuleAnalyses(OfModules);
    Builder.registerCGSCCAnalyses(OfCalls);
    Builder.registerFunctionAnalyses(OfFunctions);
    Builder.registerLoopAnalyses(OfLoops);
    Builder.crossRegisterProxies(OfLoops, OfFunctions, OfCalls, OfModules);
  }

  llvm::LoopAnalysisManager OfLoops;
  llvm::FunctionAnalysisManager OfFunctions;
  llvm::CGSCCAnalysisManager OfCalls;
  llvm::ModuleAnalysisManager OfModules;
  llvm::PassBuilder Builder;
};

} // namespace blockmaestro

#endif
