// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Canonicalize.h"

#include "DeepExpressions.h"
#include "FootprintAnalysis.h"
#include "InlinePlan.h"
#include "KernelModel.h"
#include "MemoryExpansion.h"
#include "ThreadEnds.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <map>
#include <set>
#include <tuple>

using namespace llvm;

// Note [Accesses stay]
// The footprint must cover the program as it will run, at any optimisation
// level, but the passes below may drop an access that is dead or redundant:
// the load that is stored straight back, the store that is overwritten. The
// program may keep it. So between the two rounds of passes every access to
// memory that others can see is made volatile. The first round only inlines
// and moves a thread's own variables into registers.

namespace blockmaestro {

namespace {

void prepareInlining(Module &M) {
  std::set<const Function *> Kept = functionsToKeep(M);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::AlwaysInline);
    if (isKernel(F) || Kept.count(&F))
      continue;
    F.setComdat(nullptr);
    F.setLinkage(GlobalValue::InternalLinkage);
    F.addFnAttr(Attribute::AlwaysInline);
  }
}

/// Whether V, which uses Pointer, reads it or says how long it lives.
bool isHarmlessUse(const Value *V, const Value *Pointer) {
  if (const auto *Copy = dyn_cast<MemTransferInst>(V))
    return Copy->getRawDest() != Pointer;
  const auto *Call = dyn_cast<IntrinsicInst>(V);
  return isa<LoadInst>(V) || (Call && Call->isLifetimeStartOrEnd());
}

bool onlyRead(const Value *Pointer) {
  SmallVector<const Value *, 8> Work{Pointer};
  while (!Work.empty()) {
    const Value *At = Work.pop_back_val();
    for (const User *U : At->users())
      if (isa<GetElementPtrInst>(U) || isa<AddrSpaceCastInst>(U))
        Work.push_back(U);
      else if (!isHarmlessUse(U, At))
        return false;
  }
  return true;
}

/// One read per index register, at the kernel's entry, so that a value of the
/// launch is one value everywhere, in loops too.
void gatherRegisters(Function &F) {
  std::map<Intrinsic::ID, Instruction *> Gathered;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || !launchValue(Call))
      continue;
    Instruction *&First = Gathered[Call->getIntrinsicID()];
    if (!First) {
      First = Call->clone();
      First->insertBefore(F.getEntryBlock().getFirstInsertionPt());
    }
    Call->replaceAllUsesWith(First);
    Call->eraseFromParent();
  }
}

/// The same for the scalars of aggregate parameters.
void gatherParameterLoads(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  std::map<std::tuple<unsigned, int64_t, Type *>, LoadInst *> Gathered;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->isSimple())
      continue;
    int64_t Offset = 0;
    Value *Base = GetPointerBaseWithConstantOffset(
        Load->getPointerOperand(), Offset, DL, /*AllowNonInbounds=*/true);
    auto *A = dyn_cast<Argument>(Base);
    if (!A || !isConstantAggregate(*A))
      continue;
    LoadInst *&First = Gathered[{A->getArgNo(), Offset, Load->getType()}];
    if (!First) {
      IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
      Value *Pointer = Builder.CreatePtrAdd(A, Builder.getInt64(Offset));
      First = Builder.CreateLoad(Load->getType(), Pointer);
    }
    Load->replaceAllUsesWith(First);
    Load->eraseFromParent();
  }
}

/// Marks loads that were plain before all of them are volatile.
constexpr StringLiteral PlainMark = "blockmaestro.plain";

void pinLoad(LoadInst &Load) {
  if (Load.isSimple())
    Load.setMetadata(PlainMark, MDNode::get(Load.getContext(), {}));
  Load.setVolatile(!isThreadPrivate(Load.getPointerOperand()));
}

void pinAccesses(Function &F) {
  for (Instruction &I : instructions(F)) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      pinLoad(*Load);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      Store->setVolatile(!isThreadPrivate(Store->getPointerOperand()));
    else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
      RMW->setVolatile(true);
    else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      Exchange->setVolatile(true);
    else if (auto *Copy = dyn_cast<MemIntrinsic>(&I))
      Copy->setVolatile(ConstantInt::getTrue(I.getContext()));
  }
}

/// Runs function passes over every kernel.
void runOnKernels(Module &M, FunctionPassManager Passes,
                  FunctionAnalysisManager &FAM) {
  for (Function &F : M)
    if (!F.isDeclaration())
      FAM.invalidate(F, Passes.run(F, FAM));
}

FunctionPassManager registerPasses() {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  return Passes;
}

FunctionPassManager formPasses() {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(JumpThreadingPass());
  Passes.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  Passes.addPass(EarlyCSEPass());
  Passes.addPass(InstCombinePass());
  return Passes;
}

} // namespace

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel && !F.isDeclaration();
}

bool isThreadPrivate(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return all_of(Objects, [](const Value *Object) {
    const auto *A = dyn_cast<Argument>(Object);
    return isa<AllocaInst>(Object) || (A && A->hasByValAttr());
  });
}

bool isConstantAggregate(const Argument &A) {
  return A.hasByValAttr() && onlyRead(&A);
}

bool isPlainLoad(const LoadInst &Load) {
  return Load.isSimple() || Load.hasMetadata(PlainMark);
}

void canonicalize(Module &M, AnalysisManagers &Known) {
  FunctionAnalysisManager &FAM = Known.functions();
  prepareInlining(M);
  Known.modules().invalidate(M,
                             AlwaysInlinerPass(false).run(M, Known.modules()));
  runOnKernels(M, registerPasses(), FAM);
  for (Function &F : M)
    if (!F.isDeclaration())
      expandMemory(F);
  expandThreadEnds(M);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    gatherRegisters(F);
    gatherParameterLoads(F);
    pinAccesses(F);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  runOnKernels(M, formPasses(), FAM);
  for (Function &F : M)
    if (!F.isDeclaration()) {
      cutDeepExpressions(F);
      FAM.invalidate(F, PreservedAnalyses::none());
    }
}

} // namespace blockmaestro
