// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the plugin's entry point: puts the pass where clang
// (-fpass-plugin=) and opt (-load-pass-plugin=, -passes=blockmaestro or
// -passes='print<blockmaestro-footprints>') find it.

#include "Pipeline.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;
using namespace blockmaestro;

namespace {

void registerPass(PassBuilder &Builder) {
  Builder.registerPipelineStartEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel) {
        Passes.addPass(BlockMaestroPass(PassOptions::fromEnvironment()));
      });
  Builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel, ThinOrFullLTOPhase) {
        Passes.addPass(FinishVariantsPass());
      });
  Builder.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &Passes,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "blockmaestro")
          Passes.addPass(BlockMaestroPass(PassOptions::fromEnvironment()));
        else if (Name == "print<blockmaestro-footprints>")
          Passes.addPass(PrintFootprintsPass());
        else
          return false;
        return true;
      });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "BlockMaestro", "0.1", registerPass,
          nullptr};
}
