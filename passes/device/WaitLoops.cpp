// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WaitLoops.h"

#include "Calls.h"
#include "Canonicalize.h"
#include "PtxAssembly.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

// Note [Waiting]
// A loop waits when what its exits depend on has, in the loop,
//  - a volatile or atomic load, or assembly that touches memory;
//  - an atomic operation that does the same in every iteration: it exchanges,
//    or compares, with numbers that do not change in the loop. One that tries
//    again with what it has just read comes to its end by itself;
//  - a plain load of the same address in every iteration, in a loop that the
//    compiler may not take it out of because of a fence or a call, and nothing
//    that the loop itself carries on.
// Memory of the thread or of the block does not count: no other block writes
// there.

namespace blockmaestro {

namespace {

/// Whether no other block sees what Pointer points to.
bool isOfBlock(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return all_of(Objects, [](const Value *V) {
    const auto *A = dyn_cast<Argument>(V);
    return isa<AllocaInst>(V) || (A && A->hasByValAttr()) ||
           V->getType()->getPointerAddressSpace() ==
               NVPTXAS::ADDRESS_SPACE_SHARED;
  });
}

/// Whether Call hides from the compiler what memory holds behind it.
bool clobbers(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return isa<FenceInst>(I) || I.isAtomic() ||
         (Call && Call->mayReadOrWriteMemory() &&
          !isa<MemIntrinsic, DbgInfoIntrinsic>(Call));
}

/// Whether F reads memory of other blocks in a way that may be different the
/// next time.
bool looksAround(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Load = dyn_cast<LoadInst>(&I);
    const auto *Call = dyn_cast<CallBase>(&I);
    return (Load && !isPlainLoad(*Load)) ||
           isa<AtomicRMWInst, AtomicCmpXchgInst>(I) ||
           (Call && Call->isInlineAsm());
  });
}

/// What the exits of one loop depend on.
class ExitSlice {
public:
  ExitSlice(const Loop &L, const LoopInfo &Loops)
      : L(L), Loops(Loops),
        Clobbered(any_of(L.blocks(), [](const BasicBlock *Block) {
          return any_of(*Block, clobbers);
        })) {}

  bool waits();

private:
  bool isSame(const Value *V);
  void findSame();
  bool allSame(const User &I) {
    return all_of(I.operands(), [&](const Use &U) { return isSame(U); });
  }
  bool progresses() const;
  bool repeats(const AtomicRMWInst &Change);
  bool isAnswerOfCall(const CallBase &Call);
  bool isAnswerOfOthers(const Instruction &I);
  void follow(const Instruction &I);
  void add(const Value *V) {
    if (const auto *I = dyn_cast<Instruction>(V); I && L.contains(I))
      Slice.insert(I);
  }

  const Loop &L;
  const LoopInfo &Loops;
  const bool Clobbered;
  SetVector<const Instruction *> Slice;
  DenseMap<const Value *, bool> Same;
};

/// Whether V is the same in every iteration, as far as this thread goes.
bool ExitSlice::isSame(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (Same.empty())
    findSame();
  return Same.lookup(I);
}

/// In an order in which operands come first.
void ExitSlice::findSame() {
  LoopBlocksRPO Order(const_cast<Loop *>(&L));
  Order.perform(&Loops);
  for (const BasicBlock *Block : Order)
    for (const Instruction &I : *Block) {
      const auto *Load = dyn_cast<LoadInst>(&I);
      const bool Plain =
          Load ? isPlainLoad(*Load) && !isOfBlock(Load->getPointerOperand())
               : !isa<PHINode>(I) && !I.mayReadOrWriteMemory();
      Same[&I] =
          Plain && all_of(I.operands(), [&](const Use &U) {
            const auto *Operand = dyn_cast<Instruction>(U.get());
            return !Operand || !L.contains(Operand) || Same.lookup(Operand);
          });
    }
}

/// Whether the exits depend on something that the loop itself carries from one
/// iteration to the next, such as a counter.
bool ExitSlice::progresses() const {
  return any_of(Slice, [&](const Instruction *I) {
    return isa<PHINode>(I) && I->getParent() == L.getHeader();
  });
}

/// Whether Change leaves the memory as it is once it has been done.
bool ExitSlice::repeats(const AtomicRMWInst &Change) {
  if (!allSame(Change))
    return false;
  switch (Change.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Xor: {
    const auto *Number = dyn_cast<Constant>(Change.getValOperand());
    return Number && Number->isNullValue();
  }
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::UIncWrap:
  case AtomicRMWInst::UDecWrap:
    return false;
  default:
    return true;
  }
}

bool ExitSlice::isAnswerOfCall(const CallBase &Call) {
  if (Call.isInlineAsm()) {
    AssemblyEffects Effects = describeAssembly(Call);
    return !Effects.Understood || !Effects.Accesses.empty();
  }
  if (!Call.mayReadFromMemory())
    return false;
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->getName().starts_with("llvm.nvvm.atomic."))
    return allSame(Call);
  CallTargets Targets = targetsOf(Call);
  return !Targets.Complete ||
         any_of(Targets.Functions, [](const Function *Target) {
           return any_of(reachableFrom(*Target),
                         [](const Function *F) { return looksAround(*F); });
         });
}

/// Whether I is how the loop learns what other blocks have done.
bool ExitSlice::isAnswerOfOthers(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return isAnswerOfCall(*Call);
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    if (isOfBlock(Load->getPointerOperand()))
      return false;
    return !isPlainLoad(*Load) ||
           (Clobbered && isSame(Load->getPointerOperand()) && !progresses());
  }
  if (const auto *Change = dyn_cast<AtomicRMWInst>(&I))
    return !isOfBlock(Change->getPointerOperand()) && repeats(*Change);
  if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return !isOfBlock(Swap->getPointerOperand()) && allSame(*Swap);
  return false;
}

/// Adds what I depends on; of a choice between ways, what decides the way.
void ExitSlice::follow(const Instruction &I) {
  for (const Value *Operand : I.operands())
    add(Operand);
  if (!isa<PHINode>(I) || I.getParent() == L.getHeader())
    return;
  for (const BasicBlock *From : L.blocks())
    if (From->getTerminator()->getNumSuccessors() > 1)
      add(From->getTerminator()->getOperand(0));
}

bool ExitSlice::waits() {
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *From : Exiting)
    Slice.insert(From->getTerminator());
  for (unsigned I = 0; I < Slice.size(); ++I)
    follow(*Slice[I]);
  return any_of(Slice,
                [&](const Instruction *I) { return isAnswerOfOthers(*I); });
}

} // namespace

bool mayWaitForBlocks(const Function &Kernel) {
  return any_of(reachableFrom(Kernel), [](const Function *F) {
    DominatorTree DT(const_cast<Function &>(*F));
    LoopInfo Loops(DT);
    return any_of(Loops.getLoopsInPreorder(),
                  [&](const Loop *L) { return ExitSlice(*L, Loops).waits(); });
  });
}

} // namespace blockmaestro
