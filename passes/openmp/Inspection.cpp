// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Inspection.h"

#include "InspectedMemory.h"
#include "NestedPasses.h"
#include "RegionCalls.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// Calls that are inlined into one region at most.
constexpr unsigned MostRegionCallsInlined = 4000;

std::string calleeName(const CallInst &Call) {
  const Function *F = Call.getCalledFunction();
  return F ? demangle(F->getName()) : "a function that is not known";
}

/// What a region does with a call that is not replaced.
std::string whatIs(const CallInst &Call) {
  const Function *F = Call.getCalledFunction();
  const std::string Construct = F ? constructOf(F->getName()) : "";
  return Construct.empty() ? "calls " + calleeName(Call) : "has " + Construct;
}

Function *cloneOf(Function &Region) {
  ValueToValueMapTy Values;
  Function *Clone = CloneFunction(&Region, Values);
  Clone->setName("__bm_omp_inspected" + Region.getName());
  Clone->setLinkage(GlobalValue::InternalLinkage);
  Clone->removeFnAttr(Attribute::OptimizeNone);
  Clone->removeFnAttr(Attribute::NoInline);
  return Clone;
}

bool createsTasks(Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && isTaskAlloc(*Call);
  });
}

/// Clone has all that it calls in it, and the calls that are left are those
/// that may be in an inspection function.
class Flattening {
public:
  Flattening(Function &Clone, const TaskSites &Sites)
      : Clone(Clone), Sites(Sites) {}

  Error run() {
    forgetExceptions();
    while (CallInst *Next = nextCall())
      if (Error Failure = flatten(*Next))
        return Failure;
    return Error::success();
  }

private:
  /// None leaves a region.
  void forgetExceptions() {
    bool Changed = false;
    for (BasicBlock &Block : Clone)
      if (auto *Invoke = dyn_cast<InvokeInst>(Block.getTerminator())) {
        changeToCall(Invoke);
        Changed = true;
      }
    if (Changed)
      removeUnreachableBlocks(Clone);
  }

  /// The first that has not been looked at.
  CallInst *nextCall() {
    for (BasicBlock &Block : Clone)
      for (Instruction &I : Block)
        if (auto *Call = dyn_cast<CallInst>(&I); Call && !Kept.count(Call))
          return Call;
    return nullptr;
  }

  Error flatten(CallInst &Call) {
    if (CallInst *Direct = replaceFork(Call))
      return inlineCall(*Direct);
    Function *F = Call.getCalledFunction();
    if (F && !F->isDeclaration() && !Sites.KindOf.count(F))
      return inlineCall(Call);
    const CallFate Fate = replaceCall(Call, Sites);
    if (Fate == CallFate::Other)
      return refusedAt(Call, "the region " + whatIs(Call));
    if (Fate == CallFate::Kept)
      Kept.insert(&Call);
    return Error::success();
  }

  Error inlineCall(CallInst &Call) {
    if (++Inlined > MostRegionCallsInlined)
      return refusedAt(Call, "the region calls " + calleeName(Call) +
                                 " recursively, or too many functions");
    Function *Code = nullptr;
    if (createsTasks(*Call.getCalledFunction())) {
      Code = cloneOf(*Call.getCalledFunction());
      Call.setCalledFunction(Code);
    }
    Error Failure = Code ? layOutAsOnDevice(*Code, Sites) : Error::success();
    InlineFunctionInfo Info;
    if (!Failure && !InlineFunction(Call, Info).isSuccess())
      Failure = refusedAt(Call, "the region calls " + calleeName(Call));
    if (Code && Code->use_empty())
      Code->eraseFromParent();
    forgetExceptions();
    return Failure;
  }

  Function &Clone;
  const TaskSites &Sites;
  SmallPtrSet<CallInst *, 32> Kept;
  unsigned Inlined = 0;
};

/// What is left on the stack is few and easy to see through, and what the rows
/// of an iterator all read is read once.
FunctionPassManager simplification() {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                 /*UseMemorySSA=*/true));
  return Passes;
}

/// Calls Clone with arguments from a list, all of 8 bytes.
Function *addThunk(Function &Clone) {
  Module &M = *Clone.getParent();
  LLVMContext &C = M.getContext();
  auto *Thunk = Function::createWithDefaultAttr(
      FunctionType::get(Type::getVoidTy(C), {PointerType::get(C, 0)}, false),
      GlobalValue::InternalLinkage, 0, Clone.getName() + ".thunk", &M);
  IRBuilder<> Builder(BasicBlock::Create(C, "", Thunk));
  SmallVector<Value *> Arguments;
  for (Argument &A : Clone.args())
    Arguments.push_back(Builder.CreateLoad(
        A.getType(),
        Builder.CreateConstInBoundsGEP1_64(Builder.getInt64Ty(),
                                           Thunk->getArg(0), A.getArgNo())));
  Builder.CreateCall(&Clone, Arguments);
  Builder.CreateRetVoid();
  return Thunk;
}

Error inspect(Function &Clone, const TaskSites &Sites) {
  for (Argument &A : Clone.args())
    if (!A.getType()->isPointerTy() && !A.getType()->isIntegerTy(64))
      return createStringError("an argument of the region is not known");
  if (Error Failure = layOutAsOnDevice(Clone, Sites))
    return Failure;
  if (Error Failure = Flattening(Clone, Sites).run())
    return Failure;
  runNested(Clone, simplification());
  return divertMemory(Clone);
}

} // namespace

Expected<Function *> addInspection(Function &Region, const TaskSites &Sites) {
  Function *Clone = cloneOf(Region);
  if (Error Failure = inspect(*Clone, Sites)) {
    Clone->eraseFromParent();
    return std::move(Failure);
  }
  return addThunk(*Clone);
}

} // namespace blockmaestro
