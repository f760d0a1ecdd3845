// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InspectedMemory.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral TaskAlloc = "__bm_omp_task_alloc";
constexpr StringLiteral DepObject = "__bm_omp_depobj";

bool calls(const Value &V, StringRef Name) {
  auto *Call = dyn_cast<CallInst>(&V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == Name;
}

/// A record, or its shareds.
bool isRecord(const Value *Object) {
  if (calls(*Object, TaskAlloc))
    return true;
  auto *Shareds = dyn_cast<LoadInst>(Object);
  return Shareds && calls(*Shareds->getPointerOperand(), TaskAlloc);
}

class Diversion {
public:
  explicit Diversion(Function &F)
      : F(F), M(*F.getParent()), Builder(F.getContext()) {}

  Error run() {
    if (Error Failure = check())
      return Failure;
    moveLocals();
    SmallVector<Instruction *> All;
    for (Instruction &I : instructions(F))
      if (I.mayReadOrWriteMemory())
        All.push_back(&I);
    for (Instruction *I : All)
      divert(*I);
    return Error::success();
  }

private:
  Error check() {
    for (Instruction &I : instructions(F)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      auto *Store = dyn_cast<StoreInst>(&I);
      if ((Load && !Load->isSimple()) || (Store && !Store->isSimple()) ||
          (!Load && !Store && !isa<CallInst>(I) && I.mayReadOrWriteMemory()))
        return refusedAt(I, "the region has an atomic or volatile access");
      for (const Use &Each : I.operands())
        if (Error Failure = checkGlobal(I, *Each))
          return Failure;
      if (Error Failure = checkPointers(I))
        return Failure;
    }
    return Error::success();
  }

  /// A pointer to one of several variables is the device's pointer to any.
  Error checkPointers(const Instruction &I) {
    for (const Use &Each : I.operands()) {
      if (!Each->getType()->isPointerTy())
        continue;
      SmallVector<const Value *> Objects;
      getUnderlyingObjects(Each, Objects);
      if (Objects.size() < 2)
        continue;
      for (const Value *Object : Objects)
        if (isa<AllocaInst>(Object))
          Ambiguous.insert(Object);
        else if (isRecord(Object) || calls(*Object, DepObject) ||
                 (isa<Constant>(Object) && !isa<ConstantPointerNull>(Object)))
          return refusedAt(I, "it is not known where a pointer points");
    }
    return Error::success();
  }

  /// The host's variables are not those of the device.
  static Error checkGlobal(const Instruction &At, const Value &Operand) {
    if (!isa<Constant>(Operand) || !Operand.getType()->isPointerTy())
      return Error::success();
    auto *Global = dyn_cast<GlobalVariable>(getUnderlyingObject(&Operand));
    if (Global && !Global->isConstant())
      return refusedAt(At, "the region uses the variable " + Global->getName());
    return Error::success();
  }

  /// Variables that tasks may get to know are where they are on the device.
  void moveLocals() {
    SmallVector<AllocaInst *> Known;
    for (Instruction &I : instructions(F))
      if (auto *Variable = dyn_cast<AllocaInst>(&I))
        if (Ambiguous.count(Variable) ||
            PointerMayBeCaptured(Variable, /*ReturnCaptures=*/true))
          Known.push_back(Variable);
    Value *First = nullptr;
    for (AllocaInst *Variable : Known) {
      Value *Moved = move(*Variable);
      // Behind allocas that may come again there is no first one to give back.
      if (!First && cast<Instruction>(Moved)->getParent() == &F.getEntryBlock())
        First = Moved;
    }
    if (First)
      giveBack(*First);
  }

  Value *move(AllocaInst &Variable) {
    for (User *U : make_early_inc_range(Variable.users()))
      if (auto *Mark = dyn_cast<LifetimeIntrinsic>(U))
        Mark->eraseFromParent();
    Builder.SetInsertPoint(&Variable);
    const uint64_t Size =
        M.getDataLayout().getTypeAllocSize(Variable.getAllocatedType());
    Value *Count = Builder.CreateZExtOrTrunc(Variable.getArraySize(),
                                             Builder.getInt64Ty());
    Value *Moved = Builder.CreateCall(
        M.getOrInsertFunction("__bm_omp_local", Builder.getPtrTy(),
                              Builder.getInt64Ty()),
        {Builder.CreateMul(Count, Builder.getInt64(Size))});
    Variable.replaceAllUsesWith(Moved);
    Variable.eraseFromParent();
    return Moved;
  }

  void giveBack(Value &First) {
    FunctionCallee End = M.getOrInsertFunction(
        "__bm_omp_end_locals", Builder.getVoidTy(), Builder.getPtrTy());
    for (BasicBlock &Block : F)
      if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
        Builder.SetInsertPoint(Return);
        Builder.CreateCall(End, {&First});
      }
  }

  static bool isDirect(const Value *Pointer) {
    const Value *Object = getUnderlyingObject(Pointer);
    return isa<AllocaInst>(Object) || isa<Constant>(Object) ||
           isRecord(Object) || calls(*Object, DepObject);
  }

  void divert(Instruction &I) {
    Builder.SetInsertPoint(&I);
    if (auto *Load = dyn_cast<LoadInst>(&I))
      divertLoad(*Load);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      divertStore(*Store);
    else if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      divertCopy(*Copy);
    else if (auto *Fill = dyn_cast<MemSetInst>(&I))
      divertFill(*Fill);
  }

  AllocaInst *temporary(Type *Of) {
    IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
    return Entry.CreateAlloca(Of);
  }

  Value *bytesOf(Type *Of) {
    return Builder.getInt64(M.getDataLayout().getTypeStoreSize(Of));
  }

  void call(StringRef Name, Value *First, Value *Second, Value *Bytes) {
    CallInst *Call = Builder.CreateCall(
        M.getOrInsertFunction(Name, Builder.getVoidTy(), First->getType(),
                              Second->getType(), Builder.getInt64Ty()),
        {First, Second, Bytes});
    Call->setDoesNotThrow();
  }

  void divertLoad(LoadInst &Load) {
    if (isDirect(Load.getPointerOperand()))
      return;
    AllocaInst *Value = temporary(Load.getType());
    call("__bm_omp_load", Value, Load.getPointerOperand(),
         bytesOf(Load.getType()));
    Load.setOperand(Load.getPointerOperandIndex(), Value);
    Load.setAlignment(Value->getAlign());
    Load.dropUnknownNonDebugMetadata();
  }

  void divertStore(StoreInst &Store) {
    if (isDirect(Store.getPointerOperand()))
      return;
    Type *Of = Store.getValueOperand()->getType();
    AllocaInst *Value = temporary(Of);
    Builder.CreateStore(Store.getValueOperand(), Value);
    call("__bm_omp_store", Store.getPointerOperand(), Value, bytesOf(Of));
    Store.eraseFromParent();
  }

  void divertCopy(MemTransferInst &Copy) {
    if (isDirect(Copy.getRawDest()) && isDirect(Copy.getRawSource()))
      return;
    StringRef Name = "__bm_omp_copy";
    if (isDirect(Copy.getRawDest()))
      Name = "__bm_omp_load";
    else if (isDirect(Copy.getRawSource()))
      Name = "__bm_omp_store";
    call(Name, Copy.getRawDest(), Copy.getRawSource(),
         Builder.CreateZExtOrTrunc(Copy.getLength(), Builder.getInt64Ty()));
    Copy.eraseFromParent();
  }

  void divertFill(MemSetInst &Fill) {
    if (isDirect(Fill.getRawDest()))
      return;
    call("__bm_omp_fill", Fill.getRawDest(),
         Builder.CreateZExt(Fill.getValue(), Builder.getInt32Ty()),
         Builder.CreateZExtOrTrunc(Fill.getLength(), Builder.getInt64Ty()));
    Fill.eraseFromParent();
  }

  Function &F;
  Module &M;
  IRBuilder<> Builder;
  SmallPtrSet<const Value *, 8> Ambiguous;
};

} // namespace

Error refusedAt(const Instruction &At, const Twine &Why) {
  const DILocation *Where = At.getDebugLoc();
  return createStringError(
      Why + (Where ? " in line " + Twine(Where->getLine()) : Twine("")));
}

Error divertMemory(Function &F) { return Diversion(F).run(); }

} // namespace blockmaestro
