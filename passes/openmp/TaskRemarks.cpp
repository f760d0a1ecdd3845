// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskRemarks.h"

#include "ClauseWidths.h"
#include "DependClauses.h"
#include "TaskFootprints.h"

#include "FootprintText.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr const char *PassName = "blockmaestro";

bool isAsked(const LLVMContext &C) {
  return C.getDiagHandlerPtr()->isAnyRemarkEnabled(PassName) ||
         C.getLLVMRemarkStreamer() || C.getMainRemarkStreamer();
}

/// Where a task with this entry is created.
const DILocation *placeOf(const Function &Entry) {
  for (const User *Each : Entry.users())
    if (auto *Call = dyn_cast<CallBase>(Each))
      if (Call->getCalledOperand() != &Entry && Call->getDebugLoc())
        return Call->getDebugLoc();
  return nullptr;
}

} // namespace

TaskRemarks::TaskRemarks(Module &DeviceCode, const TaskSites &Sites,
                         std::vector<std::string> Codes)
    : M(DeviceCode), Codes(std::move(Codes)) {
  if (Sites.Kinds.empty() || !isAsked(M.getContext()))
    return;
  Copy = CloneModule(M);
  for (const TaskSite &Each : Sites.Kinds) {
    Places.push_back(placeOf(*Each.Entry));
    Entries.push_back(Each.Entry->getName().str());
  }
}

TaskRemarks::~TaskRemarks() = default;

void TaskRemarks::emit(const FileLayout &Layout) {
  if (!Copy)
    return;
  const std::vector<DependClause> Clauses =
      findDependClauses(*Copy, Entries, Layout.Kinds);
  std::vector<Function *> Ends;
  for (const DependClause &Each : Clauses)
    Ends.push_back(Each.Ends);
  const std::vector<Footprint> All =
      taskFootprints(*Copy, Codes, Layout.Kinds, Ends);
  for (uint32_t Kind = 0; Kind < Codes.size(); ++Kind)
    emitFootprint(Kind, All[Kind]);
  for (size_t I = 0; I < Clauses.size(); ++I) {
    const uint32_t Kind = Clauses[I].Kind;
    const std::string Unneeded = unneededOf(
        All[Kind], Layout.Kinds[Kind], All[Codes.size() + I], Clauses[I].Flags);
    if (!Unneeded.empty())
      emitWide(Clauses[I], Unneeded);
  }
}

void TaskRemarks::emitFootprint(uint32_t Kind, const Footprint &Of) {
  for (const Access &Each : Of.Accesses) {
    OptimizationRemarkAnalysis Remark(
        PassName, "TaskFootprint", DiagnosticLocation(DebugLoc(Places[Kind])),
        &M.getFunction(Codes[Kind])->getEntryBlock());
    Remark << "task: " << toText(Each, Of);
    M.getContext().diagnose(Remark);
  }
}

void TaskRemarks::emitWide(const DependClause &Of,
                           const std::string &Unneeded) {
  OptimizationRemarkMissed Remark(
      PassName, "WideDepend", DiagnosticLocation(DebugLoc(Of.Where)),
      &M.getFunction(Codes[Of.Kind])->getEntryBlock());
  Remark << "this depend clause is wider than needed: the task " << Unneeded;
  M.getContext().diagnose(Remark);
}

} // namespace blockmaestro
