// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Footprints.h"

#include "FootprintText.h"
#include "KernelModel.h"
#include "Reasons.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

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

/// "arg0", "arg0 'data'" where the program was compiled with its names
/// (-fno-discard-value-names, or -g with --cuda-noopt-device-debug), or
/// "variable 'table'".
std::string nameOf(const Function &F, const Root &R) {
  if (R.Kind == RootKind::Global)
    return "variable '" + demangle(R.Global) + "'";
  if (R.Kind == RootKind::None)
    return "some pointer";
  if (F.getArg(R.Argument)->hasName())
    return toText(R) + " '" + F.getArg(R.Argument)->getName().str() + "'";
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      if (Record.getVariable()->getArg() == R.Argument + 1u)
        return toText(R) + " '" + Record.getVariable()->getName().str() + "'";
  return toText(R);
}

/// What each exactness but Exact means for the blocks of the kernel.
const char *consequence(Exactness How) {
  switch (How) {
  case Exactness::Exact:
    return "";
  case Exactness::Bounded:
    return "is taken for more than it is";
  case Exactness::Allocation:
    return "may be anywhere in its allocation";
  case Exactness::Unknown:
    return "may be anywhere in memory";
  }
  return "";
}

/// Accesses that one remark speaks of: of one line, for one reason.
struct Missed {
  const Access *First = nullptr;
  std::vector<std::string> What; ///< "read through arg0", without repeats.
};

std::vector<Missed> missedAccesses(const Function &F, const KernelRecord &K) {
  std::vector<Missed> Found;
  for (const Access &A : K.Bytes.Accesses) {
    if (A.How == Exactness::Exact)
      continue;
    auto Same = find_if(Found, [&](const Missed &Other) {
      const Access &B = *Other.First;
      return A.Where.File == B.Where.File && A.Where.Line == B.Where.Line &&
             A.How == B.How && A.Reason == B.Reason;
    });
    if (Same == Found.end())
      Same = Found.insert(Found.end(), {&A, {}});
    std::string What =
        std::string(toText(A.Kind)) + " through " + nameOf(F, A.Base);
    if (!is_contained(Same->What, What))
      Same->What.push_back(What);
  }
  return Found;
}

/// "a", "a and the b", "a, the b and the c".
std::string listed(const std::vector<std::string> &Items) {
  std::string Text = Items.front();
  for (size_t I = 1; I < Items.size(); ++I)
    Text += (I + 1 < Items.size() ? ", the " : " and the ") + Items[I];
  return Text;
}

void emitMissed(const Function &F, const KernelRecord &K, const Missed &M) {
  const Access &A = *M.First;
  const ReasonText *Row = findReason(A.Reason);
  OptimizationRemarkMissed Remark(PassName, Row ? Row->Name : "Inexact",
                                  locationOf(F, A), &F.getEntryBlock());
  Remark << K.Name << ": the " << listed(M.What) << " " << consequence(A.How)
         << ": " << A.Reason;
  if (Row)
    Remark << "; to help, " << Row->Advice;
  F.getContext().diagnose(Remark);
}

/// Whether somebody reads remarks; their texts take longer than the analysis.
bool isAsked(const LLVMContext &C) {
  return C.getDiagHandlerPtr()->isAnyRemarkEnabled(PassName) ||
         C.getLLVMRemarkStreamer() || C.getMainRemarkStreamer();
}

void emitKernel(const Function &F, const KernelRecord &K) {
  for (const Access &A : K.Bytes.Accesses) {
    OptimizationRemarkAnalysis Remark(PassName, "Footprint", locationOf(F, A),
                                      &F.getEntryBlock());
    Remark << K.Name << ": " << toText(A, K.Bytes);
    F.getContext().diagnose(Remark);
  }
  std::vector<Missed> All = missedAccesses(F, K);
  for (const Missed &M : All)
    emitMissed(F, K, M);
  if (!All.empty())
    return;
  OptimizationRemark Remark(PassName, "ExactFootprint",
                            DiagnosticLocation(F.getSubprogram()),
                            &F.getEntryBlock());
  Remark << K.Name << ": every access is exact";
  F.getContext().diagnose(Remark);
}

/// Says of K that its blocks cannot wait for single blocks, or that only a
/// worker cannot run them.
void emitVariant(const Function &F, const KernelRecord &K) {
  DiagnosticLocation Where(F.getSubprogram());
  StringRef Reason = K.NoVariantReason;
  if (Reason.consume_front("persistent only: ")) {
    OptimizationRemarkAnalysis Remark(PassName, "NoPersistentCase", Where,
                                      &F.getEntryBlock());
    Remark << K.Name << ": the persistent executor cannot run it: " << Reason;
    return F.getContext().diagnose(Remark);
  }
  OptimizationRemarkMissed Remark(PassName, "NoVariant", Where,
                                  &F.getEntryBlock());
  Remark << K.Name
         << ": it cannot overlap with launches it depends on: " << Reason;
  F.getContext().diagnose(Remark);
}

/// The kernel of K in M, or null.
const Function *kernelOf(const Module &M, const KernelRecord &K) {
  const Function *F = M.getFunction(K.Symbol);
  return F && !F->isDeclaration() ? F : nullptr;
}

} // namespace

void emitRemarks(Module &M, const ModuleRecord &R) {
  if (!isAsked(M.getContext()))
    return;
  for (const KernelRecord &K : R.Kernels)
    if (const Function *F = kernelOf(M, K); F && !runsTasks(*F))
      emitKernel(*F, K);
}

void emitVariantRemarks(Module &M, const ModuleRecord &R) {
  if (!isAsked(M.getContext()))
    return;
  for (const KernelRecord &K : R.Kernels)
    if (const Function *F = kernelOf(M, K); F && !K.NoVariantReason.empty())
      emitVariant(*F, K);
}

} // namespace blockmaestro
