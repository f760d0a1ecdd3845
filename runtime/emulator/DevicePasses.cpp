// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DevicePasses.h"

#include "Analyses.h"
#include "DeviceInfo.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/StraightLineStrengthReduce.h"

using namespace llvm;

namespace blockmaestro {

void addSimplification(FunctionPassManager &To) {
  To.addPass(StraightLineStrengthReducePass());
  To.addPass(GVNPass());
  To.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  To.addPass(InstCombinePass());
  To.addPass(SimplifyCFGPass());
}

namespace {

/// In the order of LLVM's pipeline.
FunctionPassManager devicePasses() {
  FunctionPassManager Passes;
  LoopPassManager Rotate, Unroll;
  Rotate.addPass(LoopRotatePass());
  Rotate.addPass(LICMPass(LICMOptions()));
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Rotate),
                                                 /*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  Unroll.addPass(IndVarSimplifyPass());
  Unroll.addPass(LoopFullUnrollPass(/*OptLevel=*/3));
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Unroll)));
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  addSimplification(Passes);
  return Passes;
}

} // namespace

void optimizeForDevice(Module &M) {
  Analyses Known(nullptr, deviceInfo());
  ModulePassManager Passes;
  Passes.addPass(createModuleToFunctionPassAdaptor(devicePasses()));
  Passes.run(M, Known.OfModules);
}

} // namespace blockmaestro
