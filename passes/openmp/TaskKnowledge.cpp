// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskKnowledge.h"

#include "ClauseWidths.h"
#include "DependClauses.h"
#include "TaskFootprints.h"

#include "FootprintText.h"
#include "KernelModel.h"

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

TaskKnowledge::TaskKnowledge(Module &DeviceCode, const TaskSites &Sites,
                             std::vector<std::string> Codes, bool WithRecords)
    : M(DeviceCode), Codes(std::move(Codes)), WithRecords(WithRecords) {
  if (Sites.Kinds.empty() || !(WithRecords || isAsked(M.getContext())))
    return;
  Copy = CloneModule(M);
  for (const TaskSite &Each : Sites.Kinds) {
    Places.push_back(placeOf(*Each.Entry));
    Entries.push_back(Each.Entry->getName().str());
  }
}

TaskKnowledge::~TaskKnowledge() = default;

void TaskKnowledge::use(FileLayout &Layout) {
  if (!Copy)
    return;
  if (WithRecords)
    Layout.Records.Globals = describeGlobals(*Copy);
  const std::vector<DependClause> Clauses =
      findDependClauses(*Copy, Entries, Layout.Kinds);
  std::vector<Function *> Ends;
  for (const DependClause &Each : Clauses)
    Ends.push_back(Each.Ends);
  const std::vector<Footprint> All =
      taskFootprints(*Copy, Codes, Layout.Kinds, Ends);
  for (uint32_t Kind = 0; Kind < Codes.size(); ++Kind)
    emitFootprint(Kind, All[Kind]);
  if (WithRecords)
    addRecords(ArrayRef(All).take_front(Codes.size()), Layout);
  for (size_t I = 0; I < Clauses.size(); ++I) {
    const uint32_t Kind = Clauses[I].Kind;
    const std::string Unneeded = unneededOf(
        All[Kind], Layout.Kinds[Kind], All[Codes.size() + I], Clauses[I].Flags);
    if (!Unneeded.empty())
      emitWide(Clauses[I], Unneeded);
  }
}

/// Why tasks may touch anything; empty where they may not.
static std::string whyUnknown(const Footprint &Of) {
  for (const Access &Each : Of.Accesses)
    if (Each.How == Exactness::Unknown)
      return Each.Reason;
  return "";
}

void TaskKnowledge::addRecords(ArrayRef<Footprint> Of, FileLayout &Layout) {
  for (uint32_t Kind = 0; Kind < Of.size(); ++Kind) {
    KernelRecord Record;
    Record.Symbol = Codes[Kind];
    Record.Name = Layout.Kinds[Kind].Site.Name;
    Record.ArgumentBytes = Layout.Kinds[Kind].RecordBytes;
    Parameter Only;
    Only.Bytes = Record.ArgumentBytes;
    Only.ByValue = true;
    Record.Parameters.push_back(Only);
    Record.Bytes = Of[Kind];
    Layout.Records.Kernels.push_back(std::move(Record));
    if (const std::string Why = whyUnknown(Of[Kind]); !Why.empty())
      emitUnknown(Kind, Why);
  }
}

void TaskKnowledge::emitUnknown(uint32_t Kind, const std::string &Why) {
  OptimizationRemarkMissed Remark(PassName, "UnknownTask",
                                  DiagnosticLocation(DebugLoc(Places[Kind])),
                                  &M.getFunction(Codes[Kind])->getEntryBlock());
  Remark << "without a depend clause this task comes behind all before it, and "
            "before all behind it: what it touches is not known: "
         << Why;
  M.getContext().diagnose(Remark);
}

void TaskKnowledge::emitFootprint(uint32_t Kind, const Footprint &Of) {
  for (const Access &Each : Of.Accesses) {
    OptimizationRemarkAnalysis Remark(
        PassName, "TaskFootprint", DiagnosticLocation(DebugLoc(Places[Kind])),
        &M.getFunction(Codes[Kind])->getEntryBlock());
    Remark << "task: " << toText(Each, Of);
    M.getContext().diagnose(Remark);
  }
}

void TaskKnowledge::emitWide(const DependClause &Of,
                             const std::string &Unneeded) {
  OptimizationRemarkMissed Remark(
      PassName, "WideDepend", DiagnosticLocation(DebugLoc(Of.Where)),
      &M.getFunction(Codes[Of.Kind])->getEntryBlock());
  Remark << "this depend clause is wider than needed: the task " << Unneeded;
  M.getContext().diagnose(Remark);
}

} // namespace blockmaestro
