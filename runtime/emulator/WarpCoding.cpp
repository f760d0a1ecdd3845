// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpCoding.h"

#include "AccessMarks.h"
#include "Chains.h"
#include "Costs.h"
#include "IssueOrder.h"
#include "IssuedSequences.h"
#include "Predication.h"
#include "StallOrder.h"
#include "Transactions.h"
#include "WarpLowering.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <utility>

using namespace llvm;

namespace blockmaestro {

namespace {

using Registers = SmallVector<uint32_t, 4>;

/// A part of a basic block that becomes a step.
struct Part {
  BasicBlock *Block;
  SmallVector<Instruction *> Instructions; ///< As they are issued.
  CallInst *Behind = nullptr; ///< The call that it follows, or null.
};

WarpClass classOfKind(AccessKind Kind) {
  return Kind == AccessKind::Read    ? WarpClass::Read
         : Kind == AccessKind::Write ? WarpClass::Write
                                     : WarpClass::Atomic;
}

/// What accesses that are one have in common, null where it is one by itself or
/// of the thread's own memory, which have no marker.
const MDNode *groupOf(const Instruction &I) {
  return costClassOf(I) ? nullptr : I.getMetadata(WholeMark);
}

class Coding {
public:
  explicit Coding(Function &Root) : Root(Root), M(*Root.getParent()) {}

  /// Before markers are put in.
  void cut();
  TracedCode code();
  void mark();

private:
  void cut(BasicBlock &B);
  void place(const LoopInfo &Loops, size_t First);
  void giveRegisters(const Part &P);
  uint32_t registerOf(const Value &V);
  Registers needsOf(const Value *V);
  Registers needsOf(const Instruction &I);
  void addNeeds(const Value *V, Registers &To);
  void codePart(size_t Step);
  void codeParameters();
  void codeIssued(size_t Step, Instruction &I, CostClass Counted);
  void codeSequence(size_t Step, const Instruction &I, StringRef Sequence);
  void codeAccess(size_t Step, Instruction &I, ArrayRef<uint32_t> Sites);
  void codeCall(size_t Step, CallInst &Call, const Function &Callee);
  void codeMoves(size_t Step);
  void add(size_t Step, WarpClass Class, const Value *Result,
           const Registers &Operands);
  void addMove(size_t Step, uint32_t From, uint32_t Result, const Value *What);
  Instruction *leaderOf(Instruction &I, size_t Step);
  bool isReplaced(const Instruction &I) const;

  Function &Root;
  Module &M;
  std::vector<Part> Parts;
  DenseMap<const BasicBlock *, uint32_t> FirstStep, LastStep;
  /// Of blocks that are executed by a predicate, the branch that tells it.
  DenseMap<const BasicBlock *, const BranchInst *> Predicates;
  DenseMap<const Value *, uint32_t> Own;
  /// Of neighbours that are one access, the one it is coded at.
  DenseMap<const MDNode *, Instruction *> Leaders;
  /// Of such writes, what those before it need, and their markers.
  DenseMap<const MDNode *, std::pair<Registers, SmallVector<uint32_t>>>
      Gathered;
  TracedCode Out;
};

void Coding::cut(BasicBlock &B) {
  if (const BranchInst *By = predicateOf(B))
    Predicates[&B] = By;
  FirstStep[&B] = uint32_t(Parts.size());
  Parts.push_back({&B, {}, nullptr});
  for (Instruction &I : B) {
    Parts.back().Instructions.push_back(&I);
    if (cutsStep(I))
      Parts.push_back({&B, {}, cast<CallInst>(&I)});
  }
  LastStep[&B] = uint32_t(Parts.size() - 1);
}

/// Whether \p I is a branch that a predicate replaces: around a block, or the
/// end of one.
bool Coding::isReplaced(const Instruction &I) const {
  return I.isTerminator() &&
         (Predicates.contains(I.getParent()) ||
          any_of(successors(I.getParent()), [&](const BasicBlock *B) {
            return Predicates.lookup(B) == &I;
          }));
}

/// Says in which loops the steps of a function lie.
void Coding::place(const LoopInfo &Loops, size_t First) {
  for (size_t Step = First; Step < Parts.size(); ++Step) {
    StepPlace Place;
    for (const Loop *L = Loops.getLoopFor(Parts[Step].Block); L;
         L = L->getParentLoop())
      Place.Loops.push_back(FirstStep.lookup(L->getHeader()));
    std::ranges::reverse(Place.Loops);
    Out.Places.push_back(std::move(Place));
  }
}

void Coding::cut() {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const size_t First = Parts.size();
    for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F))
      cut(*B);
    const DominatorTree Tree(F);
    place(LoopInfo(Tree), First);
    Out.Places[First].IsEntry = &F != &Root;
  }
}

uint32_t Coding::registerOf(const Value &V) {
  const auto [Where, New] = Own.try_emplace(&V, Out.Code.Registers);
  Out.Code.Registers += New;
  return Where->second;
}

/// The member of the group of \p I that the access is coded at: of reads the
/// first, of writes the last that is in the same step.
Instruction *Coding::leaderOf(Instruction &I, size_t Step) {
  const MDNode *Group = groupOf(I);
  if (!Group)
    return &I;
  Instruction *&Leader = Leaders[Group];
  if (Leader)
    return Leader;
  Leader = &I;
  if (isa<StoreInst>(I))
    for (Instruction *Each : Parts[Step].Instructions)
      if (groupOf(*Each) == Group)
        Leader = Each;
  return Leader;
}

/// Those of values that instructions of the step make.
void Coding::giveRegisters(const Part &P) {
  const size_t Step = size_t(&P - Parts.data());
  for (Instruction *I : P.Instructions) {
    Instruction *Leader = leaderOf(*I, Step);
    if (I->getType()->isVoidTy() || Leader != I)
      continue;
    const bool IsAccess = I->mayReadOrWriteMemory() && !isa<CallInst>(I);
    if (isa<PHINode>(I) || IsAccess || calledBody(*I) ||
        (costClassOf(*I) && issuesOf(*I)))
      registerOf(*I);
  }
}

void Coding::addNeeds(const Value *V, Registers &To) {
  if (const auto Found = Own.find(V); Found != Own.end()) {
    if (!is_contained(To, Found->second))
      To.push_back(Found->second);
    return;
  }
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return;
  if (const MDNode *Group = groupOf(*I))
    if (const Instruction *Leader = Leaders.lookup(Group); Leader != I)
      return addNeeds(Leader, To);
  for (const Value *Operand : I->operands())
    addNeeds(Operand, To);
}

Registers Coding::needsOf(const Value *V) {
  Registers Out;
  addNeeds(V, Out);
  return Out;
}

/// What an instruction that is issued needs, its predicate, too.
Registers Coding::needsOf(const Instruction &I) {
  Registers Out;
  for (const Value *Operand : I.operands())
    addNeeds(Operand, Out);
  if (const BranchInst *By = Predicates.lookup(I.getParent()))
    addNeeds(By->getCondition(), Out);
  return Out;
}

void Coding::add(size_t Step, WarpClass Class, const Value *Result,
                 const Registers &Operands) {
  const auto Found = Own.find(Result);
  Out.Code.Steps[Step].Instructions.push_back(
      {Class,
       Result && Found != Own.end() ? Found->second : NoRegister,
       {Operands.begin(), Operands.end()}});
}

void Coding::addMove(size_t Step, uint32_t From, uint32_t Result,
                     const Value *What) {
  const Registers Needs = needsOf(What);
  Out.Code.Steps[Step].Moves.push_back(
      {From, Result, Needs.empty() ? NoRegister : Needs.back()});
}

/// An access of memory; several where it has several markers.
void Coding::codeAccess(size_t Step, Instruction &I, ArrayRef<uint32_t> Sites) {
  Registers Needs = needsOf(I);
  SmallVector<uint32_t> All(Sites.begin(), Sites.end());
  if (const MDNode *Group = groupOf(I)) {
    auto &[Operands, Markers] = Gathered[Group];
    append_range(Operands, Needs);
    append_range(Markers, Sites);
    if (Leaders.lookup(Group) != &I)
      return;
    Needs = Operands;
    All = Markers;
  }
  for (uint32_t Site : All) {
    const uint32_t Number = Site >> 2;
    if (Out.Sites.size() <= Number)
      Out.Sites.resize(Number + 1);
    Out.Sites[Number] = Out.Places[Step].Accesses++;
    add(Step, classOfKind(AccessKind(Site & 3)),
        Site == All.back() ? &I : nullptr, Needs);
  }
}

/// Arguments and result move between the registers of two functions.
void Coding::codeCall(size_t Step, CallInst &Call, const Function &Callee) {
  const uint32_t Entry = FirstStep.lookup(&Callee.getEntryBlock());
  for (const Argument &A : Callee.args())
    addMove(Entry, uint32_t(Step), registerOf(A),
            Call.getArgOperand(A.getArgNo()));
  if (Call.getType()->isVoidTy())
    return;
  for (const BasicBlock &B : Callee)
    if (const auto *Return = dyn_cast<ReturnInst>(B.getTerminator()))
      if (const auto From = LastStep.find(&B); From != LastStep.end())
        addMove(Step + 1, From->second, registerOf(Call),
                Return->getReturnValue());
}

/// A kernel begins with reading its pointers, of which addresses are made, and
/// two words more; other parameters are operands where they are needed.
void Coding::codeParameters() {
  const uint32_t Step = FirstStep.lookup(&Root.getEntryBlock());
  for (unsigned I = 0; I < 2; ++I)
    add(Step, WarpClass::Private, nullptr, {});
  for (const Argument &A : Root.args())
    if (A.getType()->isPointerTy() && !A.hasByValAttr() && !A.use_empty()) {
      registerOf(A);
      add(Step, WarpClass::Private, &A, {});
    }
}

void Coding::codeSequence(size_t Step, const Instruction &I,
                          StringRef Sequence) {
  const Registers First = needsOf(I);
  Registers Needs = First;
  const size_t Last = size_t(
      std::find_if(Sequence.rbegin(), Sequence.rend(), isOfChain).base() -
      Sequence.begin() - 1);
  for (const auto [At, Letter] : enumerate(Sequence)) {
    const bool Goes = isOfChain(Letter);
    add(Step, classOfLetter(Letter), At == Last ? &I : nullptr,
        Goes ? Needs : First);
    if (!Goes || At == Last)
      continue;
    Needs = {Out.Code.Registers++};
    Out.Code.Steps[Step].Instructions.back().Result = Needs.front();
  }
}

/// What a GPU issues for an instruction that costs some.
void Coding::codeIssued(size_t Step, Instruction &I, CostClass Counted) {
  if (const StringRef Sequence = issuedSequenceOf(I); !Sequence.empty())
    return codeSequence(Step, I, Sequence);
  const Registers Needs = needsOf(I);
  for (unsigned Left = issuesOf(I); Left--;)
    add(Step, issuedClassOf(I, Counted), Left || calledBody(I) ? nullptr : &I,
        Needs);
}

void Coding::codePart(size_t Step) {
  for (Instruction *I : Parts[Step].Instructions) {
    SmallVector<uint32_t> Sites;
    for (const Instruction *Before = I->getPrevNode(); Before;
         Before = Before->getPrevNode()) {
      if (isa<CastInst>(Before))
        continue;
      const auto *Marker = dyn_cast<CallInst>(Before);
      const Function *Callee = Marker ? Marker->getCalledFunction() : nullptr;
      if (!Callee || Callee->getName() != TouchMarker)
        break;
      Sites.push_back(uint32_t(
          cast<ConstantInt>(Marker->getArgOperand(0))->getZExtValue()));
    }
    std::ranges::reverse(Sites);
    const CostClass Counted = isReplaced(*I) ? nullptr : costClassOf(*I);
    if (!Sites.empty() || groupOf(*I)) {
      codeAccess(Step, *I, Sites);
    } else if (Counted) {
      codeIssued(Step, *I, Counted);
    }
    if (const Function *Callee = calledBody(*I))
      codeCall(Step, cast<CallInst>(*I), *Callee);
  }
}

void Coding::codeMoves(size_t Step) {
  if (Parts[Step].Behind)
    return;
  for (const PHINode &Phi : Parts[Step].Block->phis()) {
    SmallVector<const BasicBlock *> Done;
    const auto Result = Own.find(&Phi);
    for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
      const BasicBlock *From = Phi.getIncomingBlock(I);
      const auto Last = LastStep.find(From);
      if (Result == Own.end() || Last == LastStep.end() ||
          is_contained(Done, From))
        continue;
      Done.push_back(From);
      addMove(Step, Last->second, Result->second, Phi.getIncomingValue(I));
    }
  }
}

TracedCode Coding::code() {
  Out.Code.Steps.resize(Parts.size());
  for (Part &P : Parts)
    P.Instructions = issueOrder(P.Instructions);
  for (const Part &P : Parts)
    giveRegisters(P);
  codeParameters();
  for (size_t Step = 0; Step < Parts.size(); ++Step)
    codeMoves(Step);
  for (size_t Step = 0; Step < Parts.size(); ++Step)
    codePart(Step);
  stallOrder(Out.Code);
  return std::move(Out);
}

void Coding::mark() {
  LLVMContext &Context = M.getContext();
  Type *Int = Type::getInt32Ty(Context);
  FunctionCallee Marker =
      M.getOrInsertFunction(StepMarker, Type::getVoidTy(Context), Int);
  for (size_t Step = 0; Step < Parts.size(); ++Step) {
    const Part &P = Parts[Step];
    Instruction *Before =
        P.Behind ? P.Behind->getNextNode() : &*P.Block->getFirstInsertionPt();
    IRBuilder<>(Before).CreateCall(Marker, ConstantInt::get(Int, Step));
  }
  for (Function &F : M)
    for (BasicBlock &B : F)
      if (&F != &Root && isa<ReturnInst>(B.getTerminator()))
        IRBuilder<>(B.getTerminator())
            .CreateCall(Marker, ConstantInt::get(Int, LeavesFunction));
}

} // namespace

TracedCode codeWarps(Function &Root, function_ref<void()> Count) {
  Coding Work(Root);
  Work.cut();
  Count();
  TracedCode Out = Work.code();
  Work.mark();
  return Out;
}

} // namespace blockmaestro
