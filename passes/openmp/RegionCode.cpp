// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionCode.h"

#include "DeviceRuntime.h"
#include "DeviceTasks.h"
#include "NestedPasses.h"
#include "SharedLoops.h"
#include "TaskKnowledge.h"
#include "UntiedTasks.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral DeviceFlag = "openmp-device";

/// The device's code is optimized at every level: without that it would call
/// microtasks by their addresses.
void allowOptimization(Module &M) {
  for (Function &F : M)
    if (F.hasFnAttribute(Attribute::OptimizeNone)) {
      F.removeFnAttr(Attribute::OptimizeNone);
      F.removeFnAttr(Attribute::NoInline);
    }
}

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

/// Each file has a device runtime of its own, which knows the file's threads
/// and microtasks only. So the linker shall find no function that uses it under
/// the name by which other files would call it.
void hideUsersOfRuntime(Module &M) {
  SmallVector<Function *> Users;
  for (Function &F : M)
    if (F.isDeclaration() && F.getName().starts_with("__kmpc_"))
      Users.push_back(&F);
  SmallPtrSet<Function *, 16> Known(Users.begin(), Users.end());
  while (!Users.empty())
    for (User *U : Users.pop_back_val()->users())
      if (auto *I = dyn_cast<Instruction>(U))
        if (Known.insert(I->getFunction()).second)
          Users.push_back(I->getFunction());
  for (Function *F : Known)
    if (!F->isDeclaration() && !isKernel(*F) && !F->hasLocalLinkage()) {
      F->setLinkage(GlobalValue::InternalLinkage);
      F->setVisibility(GlobalValue::DefaultVisibility);
      F->setComdat(nullptr);
    }
}

} // namespace

bool isRegionCode(const Module &M) {
  return M.getModuleFlag(DeviceFlag) != nullptr;
}

Expected<FileLayout> completeRegionCode(Module &M, StringRef Folder,
                                        bool WithRecords) {
  allowOptimization(M);
  if (Error Failure = tieTasks(M))
    return Failure;
  Expected<TaskSites> Sites = findTasks(M);
  if (!Sites)
    return Sites.takeError();
  DeviceTasks Tasks(M, *Sites);
  hideUsersOfRuntime(M); // The functions of kinds are to stay to the end.
  Tasks.prepare();
  TaskKnowledge Knowledge(M, *Sites, Tasks.codes(), WithRecords);
  joinSharedLoops(M);
  runNested(M,
            PassBuilder().buildPerModuleDefaultPipeline(OptimizationLevel::O2));
  peelSharedLoops(M);
  FileLayout Layout;
  if (!Tasks.empty()) {
    Layout = Tasks.finish();
    Knowledge.use(Layout);
  }
  if (Error Failure = linkDeviceRuntime(M, Folder, !Tasks.empty()))
    return Failure;
  Tasks.nameKernels(Layout);
  ModulePassManager Inline;
  Inline.addPass(AlwaysInlinerPass());
  runNested(M, std::move(Inline));
  Tasks.fixThreads(Layout);
  return Layout;
}

} // namespace blockmaestro
