// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskTable.h"

#include "Inspection.h"
#include "TaskLayout.h"
#include "TaskVariables.h"

#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral Offloads = "omp_offload.info";
/// Behind the constructor that registers the device's code, which has 101.
constexpr int TablePriority = 102;

Constant *textIn(Module &M, StringRef Text) {
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
  auto *Global = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, Bytes, "");
  Global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return Global;
}

/// An array of structs as a constant of the module.
GlobalVariable *arrayIn(Module &M, ArrayRef<Constant *> Items, Type *Of,
                        const Twine &Name) {
  auto *Type = ArrayType::get(Of, Items.size());
  return new GlobalVariable(M, Type, /*isConstant=*/true,
                            GlobalValue::InternalLinkage,
                            ConstantArray::get(Type, Items), Name);
}

/// Makes the constants of the structs in TaskInterface.h.
class Constants {
public:
  explicit Constants(Module &M) : M(M), C(M.getContext()) {}

  Constant *number(uint32_t Value) {
    return ConstantInt::get(Type::getInt32Ty(C), Value);
  }
  Constant *null() { return ConstantPointerNull::get(pointer()); }
  PointerType *pointer() { return PointerType::get(C, 0); }
  Constant *record(ArrayRef<Constant *> Fields) {
    return ConstantStruct::getAnon(C, Fields);
  }
  Constant *list(ArrayRef<Constant *> Items, const Twine &Name) {
    return Items.empty() ? null()
                         : arrayIn(M, Items, Items.front()->getType(), Name);
  }

  Constant *size(uint64_t Value) {
    return ConstantInt::get(Type::getInt64Ty(C), Value);
  }
  Constant *metadata(ArrayRef<uint8_t> Of) {
    if (Of.empty())
      return null();
    Constant *Bytes = ConstantDataArray::get(C, Of);
    auto *Global = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true,
                                      GlobalValue::InternalLinkage, Bytes,
                                      "__bm_omp_footprints");
    Global->setAlignment(Align(MetadataAlignment));
    return Global;
  }

  Constant *kind(const KindLayout &Kind) {
    SmallVector<Constant *> Copies;
    for (const CopiedVariable &Each : Kind.Copies)
      Copies.push_back(record(
          {number(Each.Field), number(Each.Offset), number(Each.Bytes)}));
    return record(
        {textIn(M, Kind.Site.Name), number(uint32_t(Kind.Site.TaskBytes)),
         number(uint32_t(Kind.Site.SharedsBytes)), number(Kind.SharedsOffset),
         number(Kind.RecordBytes), number(uint32_t(Copies.size())),
         list(Copies, "__bm_omp_copies")});
  }

private:
  Module &M;
  LLVMContext &C;
};

constexpr const char *PassName = "blockmaestro";

DiagnosticLocation placeOf(const Function &F) {
  DISubprogram *Program = F.getSubprogram();
  return Program ? DiagnosticLocation(Program) : DiagnosticLocation();
}

void remarkGraph(Function &Region) {
  OptimizationRemark Remark(PassName, "TaskGraph", placeOf(Region),
                            &Region.getEntryBlock());
  Remark << "tasks of this region run as a graph";
  Region.getContext().diagnose(Remark);
}

void remarkSerial(Function &Region, StringRef Why) {
  OptimizationRemarkMissed Remark(PassName, "TaskRegion", placeOf(Region),
                                  &Region.getEntryBlock());
  Remark << "tasks of this region run one after the other, when they are "
            "created: "
         << Why;
  Region.getContext().diagnose(Remark);
}

/// Says of a task that it creates others.
void remarkNested(const TaskSite &Task) {
  OptimizationRemarkMissed Remark(PassName, "NestedTasks", placeOf(*Task.Entry),
                                  &Task.Entry->getEntryBlock());
  Remark << "tasks that this task creates are part of it: they run one after "
            "the other, when they are created";
  Task.Entry->getContext().diagnose(Remark);
}

/// What the device said, with the host's names for tasks. The host's tasks are
/// laid out as the device's.
Expected<FileLayout> agreedLayout(TaskSites &Sites,
                                  ArrayRef<std::string> Layouts) {
  if (Layouts.empty())
    return createStringError("the device's compilation said nothing of them");
  for (const std::string &Other : Layouts)
    if (Other != Layouts.front())
      return createStringError(
          "they are not the same for all architectures of the device");
  Expected<FileLayout> Layout = readLayout(Layouts.front());
  if (!Layout)
    return Layout;
  if (!equal(Layout->Kinds, Sites.Kinds,
             [](const KindLayout &OfDevice, TaskSite &OfHost) {
               return OfHost.agreeWith(OfDevice.Site);
             }))
    return createStringError("they are not the same on the device");
  for (auto [OfDevice, OfHost] : zip(Layout->Kinds, Sites.Kinds))
    OfDevice.Site.Name = OfHost.Name;
  return Layout;
}

/// What a kernel is launched by, registered with the device's code.
Constant *addKernelId(Module &M, StringRef Kernel) {
  Type *Byte = Type::getInt8Ty(M.getContext());
  auto *Id = new GlobalVariable(
      M, Byte, /*isConstant=*/true, GlobalValue::WeakAnyLinkage,
      ConstantInt::get(Byte, 0), regionIdName(Kernel));
  offloading::emitOffloadingEntry(M, object::OffloadKind::OFK_OpenMP, Id,
                                  Kernel, /*Size=*/0, /*Flags=*/0, /*Data=*/0);
  return Id;
}

/// Calls the runtime's function with the table, if it is linked.
Function *addCall(Module &M, Constant &Table, StringRef Name) {
  LLVMContext &C = M.getContext();
  auto *Nothing = Type::getVoidTy(C);
  auto *Runtime = Function::Create(
      FunctionType::get(Nothing, {PointerType::get(C, 0)}, false),
      GlobalValue::ExternalWeakLinkage, Name, M);
  auto *F = Function::createWithDefaultAttr(FunctionType::get(Nothing, false),
                                            GlobalValue::InternalLinkage, 0,
                                            Name + "_of_file", &M);
  BasicBlock *Entry = BasicBlock::Create(C, "", F);
  BasicBlock *Linked = BasicBlock::Create(C, "linked", F);
  BasicBlock *End = BasicBlock::Create(C, "end", F);
  IRBuilder<> Builder(Entry);
  Builder.CreateCondBr(Builder.CreateIsNotNull(Runtime), Linked, End);
  Builder.SetInsertPoint(Linked);
  Builder.CreateCall(Runtime, {&Table});
  Builder.CreateBr(End);
  Builder.SetInsertPoint(End);
  Builder.CreateRetVoid();
  return F;
}

void warn(Module &M, StringRef Why) {
  std::string Text =
      ("blockmaestro: tasks of this file run one after the other: " + Why)
          .str();
  M.getContext().diagnose(DiagnosticInfoGeneric(Text, DS_Warning));
}

/// One with its inspection function, or why it has none.
Constant *regionIn(Module &M, Function &Region, const TaskSites &Sites) {
  Constants Make(M);
  Constant *Inspect = Make.null(), *Why = Make.null();
  if (Expected<Function *> Made = addInspection(Region, Sites)) {
    Inspect = *Made;
    remarkGraph(Region);
  } else {
    const std::string Reason = toString(Made.takeError());
    remarkSerial(Region, Reason);
    Why = textIn(M, Reason);
  }
  return Make.record(
      {M.getNamedValue(regionIdName(Region.getName())), Inspect, Why});
}

GlobalVariable *tableIn(Module &M, const TaskSites &Sites,
                        const FileLayout &Layout) {
  Constants Make(M);
  SmallVector<Constant *> Kinds, Regions;
  for (const KindLayout &Each : Layout.Kinds)
    Kinds.push_back(Make.kind(Each));
  for (const TaskSite &Each : Sites.Kinds)
    if (Each.CreatesTasks)
      remarkNested(Each);
  for (Function *Each : Sites.Regions)
    Regions.push_back(regionIn(M, *Each, Sites));
  Constant *Table = Make.record(
      {addKernelId(M, Layout.BlocksKernel),
       addKernelId(M, Layout.WorkersKernel),
       Make.number(uint32_t(Kinds.size())),
       Make.number(uint32_t(Regions.size())),
       Make.list(Kinds, "__bm_omp_kinds"),
       Make.list(Regions, "__bm_omp_regions"), Make.metadata(Layout.Footprints),
       Make.size(Layout.Footprints.size()), Make.number(Layout.Threads)});
  return new GlobalVariable(M, Table->getType(), /*isConstant=*/true,
                            GlobalValue::InternalLinkage, Table,
                            "__bm_omp_tasks");
}

} // namespace

bool hasTargetRegions(const Module &M) {
  return M.getNamedMetadata(Offloads) != nullptr;
}

Error addTaskTable(Module &M, ArrayRef<std::string> Layouts) {
  Expected<TaskSites> Sites = findTasks(M);
  if (!Sites)
    return Sites.takeError();
  if (Sites->Regions.empty())
    return Error::success();
  if (Error Missing = checkTaskVariables(M, *Sites)) {
    M.getContext().emitError("blockmaestro: " + toString(std::move(Missing)));
    return Error::success();
  }
  Expected<FileLayout> Layout = agreedLayout(*Sites, Layouts);
  if (!Layout) {
    warn(M, toString(Layout.takeError()));
    return Error::success();
  }
  GlobalVariable *Table = tableIn(M, *Sites, *Layout);
  appendToGlobalCtors(M, addCall(M, *Table, "__blockmaestro_register_tasks"),
                      TablePriority);
  appendToGlobalDtors(M, addCall(M, *Table, "__blockmaestro_unregister_tasks"),
                      TablePriority);
  return Error::success();
}

} // namespace blockmaestro
