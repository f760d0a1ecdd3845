// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpinLoops.h"

#include "Faults.h"
#include "HostCode.h"
#include "WarpLowering.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Whether only the thread itself can see what \p Pointer points to.
bool isPrivate(const Value *Pointer) {
  return isa<AllocaInst>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
}

/// Asks one loop what its exits depend on.
class ExitCondition {
public:
  explicit ExitCondition(const Loop &L) : L(L) {}

  bool waits();
  bool counts() const;

private:
  bool isCounter(const Value *V) const;
  bool isSame(const Value *V);
  bool repeats(const AtomicRMWInst &Change);
  bool isAnswerOfOthers(const Instruction &I);
  void follow(const Instruction &I);
  void add(const Value *V) {
    if (const auto *I = dyn_cast<Instruction>(V); I && L.contains(I))
      Slice.insert(I);
  }

  const Loop &L;
  /// What the exits depend on, inside of the loop.
  SetVector<const Instruction *> Slice;
  DenseMap<const Value *, bool> Same;
};

/// Whether \p V is the same in every iteration. Plain loads are, as far as
/// others are concerned: a program must not wait for those.
bool ExitCondition::isSame(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  auto [Known, New] = Same.try_emplace(V, false);
  if (!New)
    return Known->second;
  const auto *Load = dyn_cast<LoadInst>(I);
  bool Plain = Load ? Load->isSimple() && !isPrivate(Load->getPointerOperand())
                    : !isa<PHINode>(I) && !I->mayReadOrWriteMemory();
  bool Result =
      Plain && all_of(I->operands(), [&](const Use &U) { return isSame(U); });
  return Same[V] = Result;
}

/// Whether \p Change leaves the memory as it is once it has been done.
bool ExitCondition::repeats(const AtomicRMWInst &Change) {
  if (!isSame(Change.getPointerOperand()) || !isSame(Change.getValOperand()))
    return false;
  switch (Change.getOperation()) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return true;
  default:
    break;
  }
  const auto *Added = dyn_cast<Constant>(Change.getValOperand());
  return Added && Added->isNullValue();
}

/// Whether \p I is how the loop learns what other threads have done.
bool ExitCondition::isAnswerOfOthers(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return !Load->isSimple() && !isPrivate(Load->getPointerOperand());
  if (const auto *Change = dyn_cast<AtomicRMWInst>(&I))
    return repeats(*Change);
  if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return all_of(Swap->operands(), [&](const Use &U) { return isSame(U); });
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && !isa<IntrinsicInst>(Call) && Call->mayReadFromMemory() &&
         (!Call->getCalledFunction() ||
          !Call->getCalledFunction()->isDeclaration());
}

/// Adds what \p I depends on; of a choice between ways, what decides the way.
void ExitCondition::follow(const Instruction &I) {
  for (const Value *Operand : I.operands())
    add(Operand);
  if (!isa<PHINode>(I) || I.getParent() == L.getHeader())
    return;
  for (const BasicBlock *From : L.blocks())
    if (const Instruction *End = From->getTerminator();
        End->getNumSuccessors() > 1)
      add(End->getOperand(0));
}

/// Whether from \p First on the program is only ever ended.
bool endsProgram(BasicBlock *First) {
  SmallSetVector<BasicBlock *, 8> Seen;
  Seen.insert(First);
  for (unsigned I = 0; I < Seen.size(); ++I) {
    BasicBlock *Block = Seen[I];
    if (isa<ReturnInst>(Block->getTerminator()) ||
        any_of(*Block, [](const Instruction &Each) {
          const auto *Call = dyn_cast<IntrinsicInst>(&Each);
          return Call && Call->getIntrinsicID() == Intrinsic::nvvm_exit;
        }))
      return false;
    Seen.insert_range(successors(Block));
  }
  return true;
}

/// A loop that another way leaves does not wait for the program's end: that is
/// how one within it gives up.
bool ExitCondition::waits() {
  SmallVector<Loop::Edge> Exits;
  L.getExitEdges(Exits);
  const bool GoesOn = any_of(
      Exits, [](const Loop::Edge &Exit) { return !endsProgram(Exit.second); });
  for (const auto &[From, To] : Exits)
    if (!GoesOn || !endsProgram(To))
      Slice.insert(From->getTerminator());
  for (unsigned I = 0; I < Slice.size(); ++I) {
    if (isAnswerOfOthers(*Slice[I]))
      return true;
    follow(*Slice[I]);
  }
  return false;
}

/// Whether \p V moves by the same number in each iteration.
bool ExitCondition::isCounter(const Value *V) const {
  while (const auto *Cast = dyn_cast<CastInst>(V))
    V = Cast->getOperand(0);
  auto StepOf = [&](const Value *Of) -> const PHINode * {
    const auto *Step = dyn_cast<BinaryOperator>(Of);
    const bool Adds = Step && (Step->getOpcode() == Instruction::Add ||
                               Step->getOpcode() == Instruction::Sub);
    const auto *By =
        Adds ? dyn_cast<ConstantInt>(Step->getOperand(1)) : nullptr;
    return By && !By->isZero() ? dyn_cast<PHINode>(Step->getOperand(0))
                               : nullptr;
  };
  const auto *Counter = dyn_cast<PHINode>(V);
  if (!Counter)
    Counter = StepOf(V);
  return Counter && Counter->getParent() == L.getHeader() &&
         StepOf(Counter->getIncomingValueForBlock(L.getLoopLatch())) == Counter;
}

/// Whether the loop ends by itself, as an exit compares a counter.
bool ExitCondition::counts() const {
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  return any_of(Exiting, [&](const BasicBlock *From) {
    const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    const auto *Test = Branch && Branch->isConditional()
                           ? dyn_cast<ICmpInst>(Branch->getCondition())
                           : nullptr;
    return Test && any_of(Test->operands(),
                          [&](const Use &Each) { return isCounter(Each); });
  });
}

/// Calls \p Name(\p Operands) at \p Where.
void mark(Instruction *Where, const char *Name, ArrayRef<Value *> Operands) {
  IRBuilder<> B(Where);
  SmallVector<Type *> Types;
  for (Value *V : Operands)
    Types.push_back(V->getType());
  FunctionCallee Marker = Where->getModule()->getOrInsertFunction(
      Name, FunctionType::get(B.getVoidTy(), Types, false));
  B.CreateCall(Marker, Operands)->setDebugLoc(Where->getDebugLoc());
}

/// Of so many iterations of a loop that counts, so many are taken for waiting:
/// it may only give up after a number of tries, and what it waits for must get
/// to run meanwhile.
constexpr uint32_t CountedIterations = 1024, WaitingIterations = 32;

/// Counts the iterations of \p L from its entry and tells each before the next.
/// 0 says that something has happened; that is so mostly in a loop that
/// \p EndsItself.
void markYield(Loop &L, bool EndsItself) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  IRBuilder<> B(Header, Header->begin());
  PHINode *Iteration = B.CreatePHI(B.getInt32Ty(), 2);
  Instruction *End = Latch->getTerminator();
  B.SetInsertPoint(End);
  Value *Told = Iteration;
  if (EndsItself)
    Told = B.CreateSelect(
        B.CreateICmpULT(B.CreateURem(Iteration, B.getInt32(CountedIterations)),
                        B.getInt32(WaitingIterations)),
        Iteration, B.getInt32(0));
  mark(End, YieldMarker, {Told});
  Value *Next = B.CreateAdd(Iteration, B.getInt32(1));
  for (BasicBlock *From : predecessors(Header))
    Iteration->addIncoming(From == Latch ? Next : B.getInt32(0), From);
}

/// Whether no branch leaves \p L.
bool isEndless(const Loop &L) {
  return L.hasNoExitBlocks() && none_of(L.blocks(), [](const BasicBlock *B) {
           return isa<ReturnInst, UnreachableInst>(B->getTerminator());
         });
}

/// Whether a call in \p L might end the thread.
bool mayEndThread(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      const auto *Call = dyn_cast<CallInst>(&I);
      if (!Call || Call->isInlineAsm())
        return false;
      const Function *Callee = Call->getCalledFunction();
      return !Callee || !Callee->isDeclaration() || Call->doesNotReturn() ||
             Callee->getIntrinsicID() == Intrinsic::nvvm_exit;
    });
  });
}

void markLoop(Loop &L) {
  bool Endless = isEndless(L);
  if (Endless && !mayEndThread(L))
    mark(&*L.getHeader()->getFirstNonPHIIt(), StuckMarker, {});
  else if (L.getLoopLatch() && (Endless || ExitCondition(L).waits()))
    markYield(L, !Endless && ExitCondition(L).counts());
}

/// Whether \p F has anything a loop could wait with.
bool hasAnswersOfOthers(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Load = dyn_cast<LoadInst>(&I);
    return (Load && !Load->isSimple()) ||
           isa<AtomicRMWInst, AtomicCmpXchgInst>(I) ||
           (isa<CallInst>(I) && !isa<IntrinsicInst>(I));
  });
}

} // namespace

void markSpinLoops(Function &F) {
  DominatorTree Tree(F);
  LoopInfo Loops(Tree);
  bool MayWait = hasAnswersOfOthers(F);
  for (Loop *L : Loops)
    if (MayWait || isEndless(*L))
      simplifyLoop(L, &Tree, &Loops, nullptr, nullptr, nullptr,
                   /*PreserveLCSSA=*/false);
  for (Loop *L : Loops.getLoopsInPreorder())
    markLoop(*L);
}

void stopEndlessLoops(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration() || F.arg_empty() ||
        !F.getArg(0)->getType()->isPointerTy())
      continue;
    DominatorTree Tree(F);
    LoopInfo Loops(Tree);
    for (Loop *L : Loops.getLoopsInPreorder())
      if (isEndless(*L) && !mayEndThread(*L)) {
        IRBuilder<> B(&*L->getHeader()->getFirstNonPHIIt());
        callHost(B, "bm_fault", B.getVoidTy(), F.getArg(0),
                 {B.getInt32(Fault::UnknownThread),
                  B.getInt32(uint32_t(FaultKind::Stuck)), B.getInt32(0)});
      }
  }
}

} // namespace blockmaestro
