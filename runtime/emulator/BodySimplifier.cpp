// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BodySimplifier.h"

#include "Analyses.h"
#include "BlockContext.h"
#include "BlockFunction.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

/// The field of the BlockContext that \p Load reads, or -1.
int64_t contextField(const LoadInst &Load, const Function &Body) {
  APInt Offset(64, 0);
  const Value *Base =
      Load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          Body.getParent()->getDataLayout(), Offset, true);
  bool Field = Base == Body.getArg(0) &&
               Load.hasMetadata(LLVMContext::MD_invariant_load);
  return Field ? Offset.getSExtValue() : -1;
}

FunctionPassManager loopPasses() {
  FunctionPassManager Passes;
  LoopPassManager Shape;
  Shape.addPass(LoopRotatePass());
  Shape.addPass(IndVarSimplifyPass());
  Shape.addPass(LICMPass(LICMOptions()));
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Shape),
                                                 /*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  LoopPassManager Unroll;
  Unroll.addPass(IndVarSimplifyPass());
  Unroll.addPass(LoopDeletionPass());
  Unroll.addPass(LoopFullUnrollPass(/*OptLevel=*/3));
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Unroll)));
  return Passes;
}

FunctionPassManager simplification() {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(loopPasses());
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(GVNPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(DSEPass());
  Passes.addPass(SimplifyCFGPass());
  return Passes;
}

/// What shows how values depend on each other, and leaves loops alone.
FunctionPassManager lightSimplification() {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  return Passes;
}

} // namespace

void fixShape(Function &Body, BlockShape Shape) {
  if (!Shape.known())
    return;
  for (Instruction &I : make_early_inc_range(instructions(Body))) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->getType()->isIntegerTy(32))
      continue;
    int64_t Field = contextField(*Load, Body);
    for (unsigned D = 0; D < 3; ++D)
      if (Field == int64_t(offsetof(BlockContext, Block) + 4 * D)) {
        Load->replaceAllUsesWith(
            ConstantInt::get(Load->getType(), Shape.Extent[D]));
        Load->eraseFromParent();
        break;
      }
  }
  for (unsigned D = 0; D < 3; ++D)
    Body.addParamAttr(
        1 + D, Attribute::get(
                   Body.getContext(), Attribute::Range,
                   ConstantRange(APInt(32, 0), APInt(32, Shape.Extent[D]))));
}

void limitBlocks(Function &Body, BlockShape Shape) {
  uint32_t X = Shape.Extent[0];
  MDBuilder Metadata(Body.getContext());
  auto Limit = [&](LoadInst &Load, uint32_t Low, uint64_t End) {
    Load.setMetadata(LLVMContext::MD_range,
                     Metadata.createRange(APInt(32, Low), APInt(32, End)));
  };
  for (Instruction &I : instructions(Body)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->getType()->isIntegerTy(32))
      continue;
    int64_t Field = contextField(*Load, Body);
    if (Field == offsetof(BlockContext, Index))
      Limit(*Load, 0, LargestLine / X);
    if (Field == offsetof(BlockContext, Grid))
      Limit(*Load, 1, LargestLine / X + 1);
  }
}

void simplifyLightly(Function &Body) {
  Analyses Known;
  lightSimplification().run(Body, Known.OfFunctions);
}

void simplifyBody(Function &Body) {
  Analyses Known;
  simplification().run(Body, Known.OfFunctions);
}

} // namespace blockmaestro
