// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Footprints.h"

#include "FootprintText.h"
#include "Reasons.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr const char *PassName = "blockmaestro";

/// The place of A in kernel F, or F's own where A has none.
DiagnosticLocation locationOf(const Function &F, const Access &A) {
  DISubprogram *Kernel = F.getSubprogram();
  if (!Kernel)
    return {};
  if (A.Where.Line == 0 || A.Where.File != Kernel->getFilename())
    return DiagnosticLocation(Kernel);
  return DiagnosticLocation(DebugLoc(
      DILocation::get(F.getContext(), A.Where.Line, A.Where.Column, Kernel)));
}

void emitMissed(const Function &F, const KernelRecord &K, const Access &A) {
  const ReasonText *Row = findReason(A.Reason);
  OptimizationRemarkMissed Remark(PassName, Row ? Row->Name : "Inexact",
                                  locationOf(F, A), &F.getEntryBlock());
  Remark << K.Name << ": the " << toText(A.Kind) << " through "
         << toText(A.Base) << " is " << toText(A.How) << ": " << A.Reason;
  if (Row)
    Remark << "; to help, " << Row->Advice;
  F.getContext().diagnose(Remark);
}

void emitKernel(const Function &F, const KernelRecord &K) {
  bool Exact = true;
  for (const Access &A : K.Bytes.Accesses) {
    OptimizationRemarkAnalysis Remark(PassName, "Footprint", locationOf(F, A),
                                      &F.getEntryBlock());
    Remark << K.Name << ": " << toText(A, K.Bytes);
    F.getContext().diagnose(Remark);
    if (A.How == Exactness::Exact)
      continue;
    Exact = false;
    emitMissed(F, K, A);
  }
  if (!Exact)
    return;
  OptimizationRemark Remark(PassName, "ExactFootprint",
                            DiagnosticLocation(F.getSubprogram()),
                            &F.getEntryBlock());
  Remark << K.Name << ": every access is exact";
  F.getContext().diagnose(Remark);
}

} // namespace

void emitRemarks(Module &M, const ModuleRecord &R) {
  for (const KernelRecord &K : R.Kernels) {
    const Function *F = M.getFunction(K.Symbol);
    if (F && !F->isDeclaration())
      emitKernel(*F, K);
  }
}

} // namespace blockmaestro
