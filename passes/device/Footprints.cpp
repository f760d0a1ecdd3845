// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Footprints.h"

#include "Canonicalize.h"
#include "CodeIdentity.h"
#include "Convergence.h"
#include "Features.h"
#include "FootprintAnalysis.h"
#include "KernelModel.h"
#include "Linkage.h"
#include "Reasons.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/GlobalStatus.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Anything.
Footprint unknownFootprint(const Rejection &Why) {
  Footprint Bytes;
  for (AccessKind Kind : {AccessKind::Read, AccessKind::Write}) {
    Access A;
    A.Kind = Kind;
    A.Reason = toText(Why);
    Bytes.Accesses.push_back(std::move(A));
  }
  return Bytes;
}

/// Of a kernel that is not looked into.
std::optional<Rejection> reasonToPass(const Function &Kernel) {
  if (isReplaceable(Kernel))
    return Rejection{ReasonKind::CodeReplaceable, demangle(Kernel.getName())};
  if (runsTasks(Kernel))
    return Rejection{ReasonKind::TasksInside, ""};
  return std::nullopt;
}

KernelRecord analyzeKernel(Function &F, FunctionAnalysisManager &Known) {
  KernelRecord Record;
  describeKernel(F, Record);
  Record.Replaceable = isReplaceable(F);
  if (const std::optional<Rejection> Why = reasonToPass(F)) {
    Record.Bytes = unknownFootprint(*Why);
    return Record;
  }
  Record.Bytes = Known.getResult<FootprintAnalysis>(F).Bytes;
  const Convergence Threads = convergenceOf(F, Record.Bytes);
  if (Threads == Convergence::None)
    Record.add(Feature::EarlyExit);
  if (Threads == Convergence::InRows)
    Record.add(Feature::WarpRows);
  return Record;
}

/// "sm_90" of the first function that names its processor.
std::string architecture(const Module &M) {
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasFnAttribute("target-cpu"))
      return F.getFnAttribute("target-cpu").getValueAsString().str();
  return "";
}

/// Calls a constant what the module only reads and nobody else can name, as
/// libdevice's table for the sine of a large float. The optimizer does too, but
/// later.
void markConstants(Module &M) {
  for (GlobalVariable &G : M.globals()) {
    GlobalStatus Uses;
    if (G.hasLocalLinkage() && G.hasDefinitiveInitializer() &&
        !GlobalStatus::analyzeGlobal(&G, Uses) &&
        Uses.StoredType == GlobalStatus::NotStored)
      G.setConstant(true);
  }
}

} // namespace

Expected<ModuleRecord> analyzeDeviceModule(const Module &M, bool Relocatable) {
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    return createStringError("the device module is not valid: " + Broken);

  ModuleRecord Record;
  Record.Source = M.getSourceFileName();
  Record.Architecture = architecture(M);
  Record.Relocatable = Relocatable;
  if (Relocatable)
    Record.Shared = sharedCode(M);
  std::unique_ptr<Module> Copy = CloneModule(M);
  markConstants(*Copy);
  Record.Globals = describeGlobals(*Copy);
  settleLinkage(*Copy, Relocatable);
  AnalysisManagers Known;
  canonicalize(*Copy, Known);
  for (Function &F : *Copy)
    if (isKernel(F)) {
      KernelRecord Kernel = analyzeKernel(F, Known.functions());
      Kernel.Features |= featuresOfOriginal(*M.getFunction(F.getName()));
      Kernel.Code = codeOf(F, Relocatable);
      Record.Kernels.push_back(std::move(Kernel));
    }
  return Record;
}

} // namespace blockmaestro
