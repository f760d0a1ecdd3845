// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskThreads.h"

#include "FullTeams.h"
#include "ParallelCalls.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

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

/// All of a block have so much at most, and the device runtime needs some.
constexpr uint64_t MostTeamBytes = 32 << 10;
constexpr uint64_t TeamAlignment = 16;

class Threads {
public:
  Threads(Function &Code, TeamMemory &Memory) : Code(Code), Memory(Memory) {}

  bool possible() {
    for (Instruction &I : instructions(Code))
      if (!allows(I))
        return false;
    return !Parallels.empty() && placeInTeam();
  }

  void change() {
    for (auto [Variable, Place] : OfTeam)
      replace(*Variable, Place);
    for (CallInst *Taken : SharedMemory)
      if (!OfTeam.count(Taken))
        makeOwn(*Taken);
    for (CallInst *Parallel : Parallels)
      useFullTeam(*Parallel);
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
      return note(Store->getPointerOperand()) && Store->isSimple() &&
             isOwn(Store->getPointerOperand()) && keepsOwn(*Store);
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

  bool note(const Value *Pointer) {
    UsedOutside.insert(getUnderlyingObject(Pointer));
    return true;
  }

  /// What other threads may write in a `parallel` that they have come to.
  void noteRead(const Value *Pointer) {
    const Value *Object = getUnderlyingObject(Pointer);
    UsedOutside.insert(Object);
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
        isa<LifetimeIntrinsic>(Call) || isa<AssumeInst>(Call) ||
        isa<NoAliasScopeDeclInst>(Call))
      return true;
    if (auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
      noteRead(Copy->getRawSource());
      return note(Copy->getRawDest()) && !Copy->isVolatile() &&
             isOwn(Copy->getRawDest());
    }
    if (auto *Fill = dyn_cast<MemSetInst>(&Call))
      return note(Fill->getRawDest()) && !Fill->isVolatile() &&
             isOwn(Fill->getRawDest());
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
        OfTeam[cast<Instruction>(getUnderlyingObject(Each.Given))] = nullptr;
    return true;
  }

  /// How much memory Variable is; 0 where that is not known.
  uint64_t bytesOf(const Instruction &Variable) const {
    if (auto *Own = dyn_cast<AllocaInst>(&Variable)) {
      const auto Size = Own->getAllocationSize(Code.getDataLayout());
      return Size && !Size->isScalable() ? Size->getFixedValue() : 0;
    }
    return cast<ConstantInt>(Variable.getOperand(0))->getZExtValue();
  }

  /// Finds memory for the variables that `parallel`s write; false where the
  /// code outside of them uses one too, or there is not enough.
  bool placeInTeam() {
    for (auto &[Variable, Place] : OfTeam) {
      const uint64_t Bytes = bytesOf(*Variable);
      if (UsedOutside.count(Variable) || Bytes == 0)
        return false;
      Place = Memory.take(Bytes);
      if (!Place)
        return false;
    }
    return true;
  }

  static void replace(Instruction &Variable, Value *By) {
    for (User *Each : make_early_inc_range(Variable.users()))
      if (calls(*Each, GiveShared) || isa<LifetimeIntrinsic>(Each))
        cast<Instruction>(Each)->eraseFromParent();
    Variable.replaceAllUsesWith(By);
    Variable.eraseFromParent();
  }

  void makeOwn(CallInst &Taken) {
    const uint64_t Bytes =
        cast<ConstantInt>(Taken.getArgOperand(0))->getZExtValue();
    IRBuilder<> Builder(&*Code.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Own =
        Builder.CreateAlloca(ArrayType::get(Builder.getInt8Ty(), Bytes));
    Own->setAlignment(Align(TeamAlignment));
    replace(Taken, Own);
  }

  Function &Code;
  SmallVector<CallInst *> Parallels;
  SmallVector<CallInst *> SharedMemory;
  TeamMemory &Memory;
  /// What the code outside of `parallel`s reads or writes.
  SmallPtrSet<const Value *, 16> UsedOutside;
  MapVector<Instruction *, Constant *> OfTeam;
  bool ReadsMemory = false;
};

/// Whether F may come to a `parallel`.
bool mayRunParallel(const Function &F,
                    SmallPtrSetImpl<const Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return false;
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm())
      continue;
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || isParallel(*Call) ||
        (!Callee->isDeclaration() && mayRunParallel(*Callee, Seen)))
      return true;
  }
  return false;
}

} // namespace

Constant *TeamMemory::take(uint64_t Bytes) {
  Type *Byte = Type::getInt8Ty(M.getContext());
  const uint64_t Offset = alignTo(Taken, TeamAlignment);
  if (Offset + Bytes > MostTeamBytes)
    return nullptr;
  if (!Memory)
    Memory = new GlobalVariable(
        M, ArrayType::get(Byte, MostTeamBytes), /*isConstant=*/false,
        GlobalValue::InternalLinkage, nullptr, "__bm_omp_team_memory", nullptr,
        GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_SHARED);
  Taken = Offset + Bytes;
  Most = std::max(Most, Taken);
  Constant *Place = ConstantExpr::getInBoundsGetElementPtr(
      Byte, Memory,
      ArrayRef<Constant *>{
          ConstantInt::get(Type::getInt64Ty(M.getContext()), Offset)});
  return ConstantExpr::getAddrSpaceCast(Place,
                                        PointerType::get(M.getContext(), 0));
}

void TeamMemory::finish() {
  if (!Memory)
    return;
  Type *Bytes = ArrayType::get(Type::getInt8Ty(M.getContext()), Most);
  auto *Sized = new GlobalVariable(
      M, Bytes, /*isConstant=*/false, GlobalValue::InternalLinkage,
      PoisonValue::get(Bytes), "", Memory, GlobalValue::NotThreadLocal,
      NVPTXAS::ADDRESS_SPACE_SHARED);
  Sized->setAlignment(Align(TeamAlignment));
  Sized->takeName(Memory);
  Memory->replaceAllUsesWith(Sized);
  Memory->eraseFromParent();
}

TaskThreads chooseThreads(Function &Code, TeamMemory &Memory) {
  SmallPtrSet<const Function *, 16> Seen;
  if (!mayRunParallel(Code, Seen))
    return TaskThreads::FirstAlone;
  Threads Of(Code, Memory);
  Memory.restart();
  if (!Of.possible())
    return TaskThreads::FirstOfTeam;
  Of.change();
  return TaskThreads::All;
}

} // namespace blockmaestro
