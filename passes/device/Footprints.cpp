// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Footprints.h"

#include "Canonicalize.h"
#include "Features.h"
#include "FootprintBuilder.h"
#include "KernelModel.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace blockmaestro {

namespace {

KernelRecord analyzeKernel(Function &F, TargetLibraryInfoImpl &Target) {
  KernelRecord Record;
  describeKernel(F, Record);
  TargetLibraryInfo Library(Target, &F);
  AssumptionCache Assumptions(F);
  DominatorTree DT(F);
  LoopInfo LI(DT);
  ScalarEvolution SE(F, Library, Assumptions, DT, LI);
  Record.Bytes = buildFootprint(F, SE, LI, DT, Assumptions);
  return Record;
}

/// "sm_90" of the first kernel that names its processor.
std::string architecture(const Module &M) {
  for (const Function &F : M)
    if (isKernel(F) && F.hasFnAttribute("target-cpu"))
      return F.getFnAttribute("target-cpu").getValueAsString().str();
  return "";
}

} // namespace

Expected<ModuleRecord> analyzeDeviceModule(const Module &M) {
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    return createStringError("the device module is not valid: " + Broken);

  ModuleRecord Record;
  Record.Source = M.getSourceFileName();
  Record.Architecture = architecture(M);
  Record.Globals = describeGlobals(M);
  std::unique_ptr<Module> Copy = CloneModule(M);
  canonicalize(*Copy);
  TargetLibraryInfoImpl Target(Copy->getTargetTriple());
  for (Function &F : *Copy)
    if (isKernel(F)) {
      KernelRecord Kernel = analyzeKernel(F, Target);
      Kernel.Features |= featuresOfOriginal(*M.getFunction(F.getName()));
      Record.Kernels.push_back(std::move(Kernel));
    }
  return Record;
}

} // namespace blockmaestro
