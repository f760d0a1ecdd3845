// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceUnrolling.h"

#include "Analyses.h"
#include "DeviceInfo.h"
#include "DevicePasses.h"

#include "llvm/ADT/DenseMap.h"
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

/// Whether ptxas makes several iterations of \p L one where clang has not.
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

/// Whether \p L is only come to where a count is not 0.
bool isBehindCount(const Loop &L) {
  const BasicBlock *Before = L.getLoopPredecessor();
  while (Before && Before->getSingleSuccessor())
    Before = Before->getSinglePredecessor();
  const auto *Guard =
      Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  const auto *Test =
      Guard ? dyn_cast<ICmpInst>(Guard->getCondition()) : nullptr;
  if (!Test)
    return false;
  const auto *With = dyn_cast<ConstantInt>(Test->getOperand(1));
  return !With || With->isZero() || With->isOne();
}

/// What ptxas leaves alone once clang has unrolled it: what is in no other
/// loop, and may have no iteration.
bool isLeft(const Loop &L) { return L.isOutermost() && isBehindCount(L); }

/// Unrolls as clang does, and asks LoopUnrollPass for what ptxas does then.
struct UnrollAsClang : PassInfoMixin<UnrollAsClang> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &Known) {
    DenseMap<const BasicBlock *, size_t> LeftIfGrown;
    for (const Loop *L : Known.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (isLeft(*L))
        LeftIfGrown[L->getHeader()] = L->getHeader()->size();
    const PreservedAnalyses Kept =
        LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/3)).run(F, Known);
    Known.invalidate(F, Kept);
    for (Loop *L : Known.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
      const auto Was = LeftIfGrown.find(L->getHeader());
      const bool IsLeft =
          Was != LeftIfGrown.end() && L->getHeader()->size() > Was->second;
      if (isUnrolled(*L) && !IsLeft)
        addStringMetadataToLoop(L, "llvm.loop.unroll.count",
                                IterationsTogether);
    }
    return Kept;
  }
};

FunctionPassManager unrollingPasses() {
  FunctionPassManager Passes;
  LoopPassManager Simplify;
  Simplify.addPass(LoopRotatePass());
  Simplify.addPass(IndVarSimplifyPass());
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Simplify)));
  Passes.addPass(UnrollAsClang());
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
