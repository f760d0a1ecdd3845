// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskThreads.h"

#include "ParallelCalls.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral TakeShared = "__kmpc_alloc_shared";
constexpr StringLiteral GiveShared = "__kmpc_free_shared";
constexpr StringLiteral ThreadNumber = "__kmpc_global_thread_num";

bool calls(const Value &V, StringRef Name) {
  auto *Call = dyn_cast<CallInst>(&V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == Name;
}

class Threads {
public:
  explicit Threads(Function &Code) : Code(Code) {}

  bool possible() {
    for (Instruction &I : instructions(Code))
      if (!allows(I))
        return false;
    return !Parallels.empty();
  }

  void change() {
    for (CallInst *Taken : SharedMemory)
      makeOwn(*Taken);
    if (!ReadsMemory)
      return;
    for (CallInst *Parallel : Parallels) {
      IRBuilder<> Builder(Parallel);
      Builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                              {Builder.getInt32(0)});
    }
  }

private:
  /// Memory that each thread has for itself.
  bool isOwn(const Value *Pointer) const {
    const Value *Object = getUnderlyingObject(Pointer);
    return isa<AllocaInst>(Object) || calls(*Object, TakeShared);
  }

  bool allows(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      noteRead(Load->getPointerOperand());
      return Load->isSimple();
    }
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store->isSimple() && isOwn(Store->getPointerOperand()) &&
             keepsOwn(*Store);
    if (auto *Call = dyn_cast<CallInst>(&I))
      return allowsCall(*Call);
    return !I.mayReadOrWriteMemory() && !I.mayThrow() && !hidesOwn(I);
  }

  /// An address of a thread's own memory only goes into lists of `parallel`s.
  bool keepsOwn(StoreInst &Store) const {
    const Value *What = Store.getValueOperand();
    if (!What->getType()->isPointerTy() || !isOwn(What))
      return true;
    auto *List =
        dyn_cast<AllocaInst>(getUnderlyingObject(Store.getPointerOperand()));
    return List && isList(*List);
  }

  /// One that is not of a kind that isOwn() sees through.
  bool hidesOwn(Instruction &I) const {
    return (isa<PHINode>(I) || isa<SelectInst>(I) || isa<PtrToIntInst>(I)) &&
           any_of(I.operands(), [&](const Use &Each) {
             return Each->getType()->isPointerTy() && isOwn(Each);
           });
  }

  /// What other threads may write in a `parallel` that they have come to.
  void noteRead(const Value *Pointer) {
    const Value *Object = getUnderlyingObject(Pointer);
    auto *Global = dyn_cast<GlobalVariable>(Object);
    ReadsMemory |= !isOwn(Pointer) && Object != Code.getArg(0) &&
                   !(Global && Global->isConstant());
  }

  bool allowsCall(CallInst &Call) {
    if (isParallel(Call)) {
      Parallels.push_back(&Call);
      return allowsParallel(Call);
    }
    if (calls(Call, TakeShared)) {
      SharedMemory.push_back(&Call);
      return isa<ConstantInt>(Call.getArgOperand(0));
    }
    if (calls(Call, GiveShared) || calls(Call, ThreadNumber) ||
        isa<LifetimeIntrinsic>(Call) || isa<AssumeInst>(Call))
      return true;
    if (auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
      noteRead(Copy->getRawSource());
      return !Copy->isVolatile() && isOwn(Copy->getRawDest());
    }
    if (auto *Fill = dyn_cast<MemSetInst>(&Call))
      return !Fill->isVolatile() && isOwn(Fill->getRawDest());
    return Call.doesNotAccessMemory() && Call.willReturn() &&
           Call.doesNotThrow() && !Call.isConvergent();
  }

  bool allowsParallel(CallInst &Call) {
    const auto Passed = passedValues(Call);
    if (!Passed)
      return false;
    for (const PassedValue &Each : *Passed)
      if (Each.Given->getType()->isPointerTy() && isOwn(Each.Given) &&
          !isReadOnly(*Each.Becomes))
        return false;
    return true;
  }

  void makeOwn(CallInst &Taken) {
    const uint64_t Bytes =
        cast<ConstantInt>(Taken.getArgOperand(0))->getZExtValue();
    constexpr uint64_t Alignment = 16;
    IRBuilder<> Builder(&*Code.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Own =
        Builder.CreateAlloca(ArrayType::get(Builder.getInt8Ty(), Bytes));
    Own->setAlignment(Align(Alignment));
    for (User *By : make_early_inc_range(Taken.users()))
      if (calls(*By, GiveShared))
        cast<Instruction>(By)->eraseFromParent();
    Taken.replaceAllUsesWith(Own);
    Taken.eraseFromParent();
  }

  Function &Code;
  SmallVector<CallInst *> Parallels;
  SmallVector<CallInst *> SharedMemory;
  bool ReadsMemory = false;
};

} // namespace

bool runByAllThreads(Function &Code) {
  Threads All(Code);
  if (!All.possible())
    return false;
  All.change();
  return true;
}

} // namespace blockmaestro
