// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFootprints.h"

#include "NestedPasses.h"
#include "TeamOfOne.h"

#include "Canonicalize.h"
#include "FootprintAnalysis.h"
#include "Linkage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr Align RecordAlign = Align::Constant<16>();

/// Other kernels are not looked at.
void dropKernels(Module &M, ArrayRef<Function *> But) {
  for (Function &F : M)
    if (isKernel(F) && !F.isDeclaration() && !is_contained(But, &F)) {
      F.deleteBody();
      F.setCallingConv(CallingConv::C);
    }
}

/// A task's entry passes functions to the code that calls them.
void resolveCalls(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F)) {
      F.removeFnAttr(Attribute::NoInline);
      F.removeFnAttr(Attribute::OptimizeNone);
      F.addFnAttr(Attribute::AlwaysInline);
    }
  ModulePassManager Passes;
  Passes.addPass(AlwaysInlinerPass());
  Passes.addPass(
      createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::ModifyCFG)));
  runNested(M, std::move(Passes));
}

/// A part of the kernel's argument as a variable.
AllocaInst *copyPart(IRBuilder<> &Builder, Argument &Record, uint64_t Offset,
                     uint64_t Bytes) {
  AllocaInst *Copy =
      Builder.CreateAlloca(ArrayType::get(Builder.getInt8Ty(), Bytes));
  Copy->setAlignment(RecordAlign);
  Value *From =
      Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), &Record, Offset);
  Builder.CreateMemCpy(Copy, RecordAlign, From, Align(1), Bytes);
  return Copy;
}

/// See Note [Records as arguments]. The parts are variables of their own, so
/// that none has its own address in it.
Function *addTaskKernel(Module &M, Function &Code, const KindLayout &Kind) {
  const TaskSite &Site = Kind.Site;
  Function *Kernel =
      addRecordKernel(M, Kind.RecordBytes, Code.getName() + "_record");
  Argument &Record = *Kernel->getArg(0);
  IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "", Kernel));
  AllocaInst *Task = copyPart(Builder, Record, 0, Site.TaskBytes);
  if (Site.SharedsBytes) {
    AllocaInst *Shareds =
        copyPart(Builder, Record, Kind.SharedsOffset, Site.SharedsBytes);
    Builder.CreateStore(Shareds, Task);
    for (const CopiedVariable &Each : Kind.Copies)
      if (Each.Bytes)
        Builder.CreateStore(copyPart(Builder, Record, Each.Offset, Each.Bytes),
                            Builder.CreateConstInBoundsGEP1_64(
                                Builder.getInt8Ty(), Shareds, Each.Field));
  }
  CallInst *Call = Builder.CreateCall(&Code, {Task});
  Call->setCallingConv(Code.getCallingConv());
  Builder.CreateRetVoid();
  return Kernel;
}

} // namespace

Function *addRecordKernel(Module &M, uint64_t Bytes, const Twine &Name) {
  LLVMContext &C = M.getContext();
  auto *Kernel = Function::Create(
      FunctionType::get(Type::getVoidTy(C), {PointerType::get(C, 0)}, false),
      GlobalValue::ExternalLinkage, Name, M);
  Kernel->setCallingConv(CallingConv::PTX_Kernel);
  Kernel->addParamAttr(0, Attribute::getWithByValType(
                              C, ArrayType::get(Type::getInt8Ty(C), Bytes)));
  Kernel->addParamAttr(0, Attribute::getWithAlignment(C, RecordAlign));
  return Kernel;
}

std::vector<Footprint> taskFootprints(Module &Copy, ArrayRef<std::string> Codes,
                                      ArrayRef<KindLayout> Kinds,
                                      ArrayRef<Function *> More) {
  dropKernels(Copy, More);
  runByOneThread(Copy);
  std::vector<Function *> Kernels;
  for (auto [Code, Kind] : zip(Codes, Kinds))
    Kernels.push_back(addTaskKernel(Copy, *Copy.getFunction(Code), Kind));
  Kernels.insert(Kernels.end(), More.begin(), More.end());
  resolveCalls(Copy);
  settleLinkage(Copy, /*Relocatable=*/true);
  AnalysisManagers Known;
  canonicalize(Copy, Known);
  std::vector<Footprint> Out;
  for (Function *Each : Kernels)
    Out.push_back(Known.functions().getResult<FootprintAnalysis>(*Each).Bytes);
  return Out;
}

} // namespace blockmaestro
