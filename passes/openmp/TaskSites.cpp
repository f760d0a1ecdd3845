// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskSites.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral RegionPrefix = "__omp_offloading_";
constexpr StringLiteral IdSuffix = ".region_id";
constexpr StringLiteral TaskAlloc = "__kmpc_omp_task_alloc";

std::vector<Function *> sortedByName(std::vector<Function *> All) {
  sort(All, [](const Function *A, const Function *B) {
    return A->getName() < B->getName();
  });
  return All;
}

/// Walks the code that is reached from a region, task entries aside.
class Walk {
public:
  explicit Walk(TaskSites &Sites) : Sites(Sites) {}

  /// Whether any code reached from F creates tasks.
  Expected<bool> from(Function &Region) {
    Visited.clear();
    Creates = false;
    if (Error Failure = visit(Region))
      return Failure;
    return Creates;
  }

private:
  Error visit(Function &F) {
    if (F.isDeclaration() || !Visited.insert(&F).second)
      return Error::success();
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Error Failure = visit(*Call))
          return Failure;
    return Error::success();
  }

  Error visit(CallBase &Call) {
    Function *Callee = Call.getCalledFunction();
    if (isTaskAlloc(Call))
      return add(Call);
    if (Callee && Sites.KindOf.count(Callee))
      return Error::success(); // Of an undeferred task.
    if (Callee)
      if (Error Failure = visit(*Callee))
        return Failure;
    for (Value *Argument : Call.args())
      if (auto *F = dyn_cast<Function>(Argument->stripPointerCasts()))
        if (Error Failure = visit(*F))
          return Failure;
    return Error::success();
  }

  Error add(CallBase &Call) {
    Creates = true;
    auto *Entry = dyn_cast<Function>(
        Call.getArgOperand(TaskEntryArgument)->stripPointerCasts());
    auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(TaskBytesArgument));
    auto *Shareds =
        dyn_cast<ConstantInt>(Call.getArgOperand(SharedsBytesArgument));
    if (!Entry || !Bytes || !Shareds)
      return createStringError("OpenMP: a task's code is not known in " +
                               Call.getFunction()->getName());
    if (Sites.KindOf.try_emplace(Entry, Sites.Kinds.size()).second) {
      TaskSite Site;
      Site.Entry = Entry;
      Site.TaskBytes = Bytes->getZExtValue();
      Site.SharedsBytes = Shareds->getZExtValue();
      Site.Fields = fieldsOf(Call);
      place(Site, Call);
      Sites.Kinds.push_back(std::move(Site));
    }
    return Error::success();
  }

  static void place(TaskSite &Site, const CallBase &Call) {
    const DILocation *Where = Call.getDebugLoc();
    if (!Where)
      return;
    Site.Line = Where->getLine();
    Site.Column = Where->getColumn();
    Site.Name =
        (sys::path::filename(Where->getFilename()) + ":" + Twine(Site.Line))
            .str();
  }

  TaskSites &Sites;
  SmallPtrSet<Function *, 16> Visited;
  bool Creates = false;
};

} // namespace

bool TaskSite::agreeWith(const TaskSite &OfDevice) {
  const auto Offsets = offsetsOnDevice(Fields, OfDevice.Fields);
  if (Line != OfDevice.Line || Column != OfDevice.Column ||
      SharedsBytes != OfDevice.SharedsBytes || !Offsets)
    return false;
  TaskBytes = OfDevice.TaskBytes;
  DeviceOffsets = *Offsets;
  return true;
}

bool isTaskAlloc(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName() == TaskAlloc;
}

std::string regionIdName(StringRef Region) {
  return ("." + Region + IdSuffix).str();
}

std::vector<Function *> regionsOf(Module &M) {
  std::vector<Function *> Regions;
  for (Function &F : M)
    if (!F.isDeclaration() && F.getName().starts_with(RegionPrefix) &&
        (F.getCallingConv() == CallingConv::PTX_Kernel ||
         M.getNamedValue(regionIdName(F.getName()))))
      Regions.push_back(&F);
  return sortedByName(std::move(Regions));
}

Expected<TaskSites> findTasks(Module &M) {
  TaskSites Sites;
  Walk Code(Sites);
  for (Function *Region : regionsOf(M)) {
    Expected<bool> Creates = Code.from(*Region);
    if (!Creates)
      return Creates.takeError();
    if (*Creates)
      Sites.Regions.push_back(Region);
  }
  // Tasks of tasks are no kinds, but where a region creates them too.
  TaskSites Nested = Sites;
  Walk Inside(Nested);
  for (TaskSite &Task : Sites.Kinds) {
    Expected<bool> Creates = Inside.from(*Task.Entry);
    if (!Creates)
      return Creates.takeError();
    Task.CreatesTasks = *Creates;
  }
  return Sites;
}

} // namespace blockmaestro
