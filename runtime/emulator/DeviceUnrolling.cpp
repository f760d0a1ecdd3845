// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceUnrolling.h"

#include "Analyses.h"
#include "DeviceInfo.h"
#include "DevicePasses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr unsigned IterationsTogether = 4;
/// A loop of more instructions stays as it is.
constexpr unsigned LargestUnrolled = 128;

/// Whether the program, or clang, has said how it is to be unrolled.
bool isSaid(const Loop &L) {
  return findOptionMDForLoop(&L, "llvm.loop.unroll.disable") ||
         findOptionMDForLoop(&L, "llvm.loop.unroll.count");
}

/// Whether ptxas makes several iterations of \p L one.
bool isUnrolled(const Loop &L) {
  if (L.getNumBlocks() != 1 || isSaid(L))
    return false;
  const BasicBlock &B = *L.getHeader();
  return B.size() <= LargestUnrolled && none_of(B, [](const Instruction &I) {
           const auto *Call = dyn_cast<CallBase>(&I);
           return I.isAtomic() ||
                  (Call && (Call->isConvergent() || Call->mayWriteToMemory()));
         });
}

/// Asks LoopUnrollPass for what ptxas does.
struct AskForUnrolling : PassInfoMixin<AskForUnrolling> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &Known) {
    for (Loop *L : Known.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (isUnrolled(*L))
        addStringMetadataToLoop(L, "llvm.loop.unroll.count",
                                IterationsTogether);
    return PreservedAnalyses::all();
  }
};

FunctionPassManager unrollingPasses() {
  FunctionPassManager Passes;
  LoopPassManager Simplify;
  Simplify.addPass(LoopRotatePass());
  Simplify.addPass(IndVarSimplifyPass());
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Simplify)));
  Passes.addPass(LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/3)));
  Passes.addPass(AskForUnrolling());
  Passes.addPass(
      LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/3, /*OnlyForced=*/true)));
  addSimplification(Passes);
  return Passes;
}

} // namespace

void unrollForDevice(Module &M) {
  Analyses Known(nullptr, deviceInfo());
  ModulePassManager Passes;
  Passes.addPass(createModuleToFunctionPassAdaptor(unrollingPasses()));
  Passes.run(M, Known.OfModules);
}

} // namespace blockmaestro
