// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Note [Strided loops]
// ~~~~~~~~~~~~~~~~~~~~
// A loop over `i = u + x; i < n; i += s`, where x is the thread's index and u,
// n and s are the same for all threads, ends for some threads an iteration
// before it ends for others, so each thread would run it from beginning to end
// before the next thread begins: no two neighbours in memory are touched one
// after the other, and nothing becomes a vector. So we put
//     for (; u + (X - 1) < n; u += s) { i = u + x; ... }
// in front of it, where X is the number of threads: iterations that all threads
// make. Its condition is the same for all; the regions are cut at it, and each
// iteration is a loop over the threads. The original loop goes on from there.
// Neither addition wraps where the condition holds, for it is computed as
// n > X - 1 and u < n - (X - 1).

#include "StridedLoops.h"

#include "BlockBarriers.h"
#include "LaneOperations.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace blockmaestro {

namespace {

constexpr const char *TogetherMark = "bm.together";

/// A loop that is worth splitting.
struct StridedLoop {
  Loop *L;
  PHINode *Index; ///< i.
  Value *Step;    ///< s.
  Value *Bound;   ///< n.
  bool IsSigned;
  BasicBlock *First; ///< Where the header goes on while the loop runs.
};

class LoopSplitter {
public:
  LoopSplitter(Function &Body, uint32_t Threads, LaunchConstants::Of Scope)
      : Body(Body), Threads(Threads), Constants(Body, Scope), Dominators(Body),
        Loops(Dominators) {}

  void run();

private:
  bool find(Loop &L, StridedLoop &Found) const;
  bool findCondition(Loop &L, StridedLoop &Found) const;
  bool stays(const Loop &L) const;
  Value *shared(Value *V, IRBuilder<> &B, bool Build) const;
  Value *early(Value *V, Instruction *Before) const;
  void split(StridedLoop S);
  Value *runsForAll(IRBuilder<> &B, const StridedLoop &S, Value *Shared) const;

  Function &Body;
  uint32_t Threads;
  LaunchConstants Constants;
  DominatorTree Dominators;
  LoopInfo Loops;
};

/// Whether nothing in \p L waits for other threads.
bool LoopSplitter::stays(const Loop &L) const {
  return none_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      const auto *Call = dyn_cast<CallInst>(&I);
      return Call && (Call->isConvergent() || isLaneOperation(*Call) ||
                      blockBarrierKind(*Call) || Call->isInlineAsm());
    });
  });
}

/// What \p V is without the thread's index, which it contains once; null where
/// it does not. Computes it where \p B is only if \p Build.
Value *LoopSplitter::shared(Value *V, IRBuilder<> &B, bool Build) const {
  Value *L, *R;
  if (V == Body.getArg(1) || match(V, m_ZExt(m_Specific(Body.getArg(1)))) ||
      match(V, m_SExt(m_Specific(Body.getArg(1)))))
    return ConstantInt::get(V->getType(), 0);
  if (!match(V, m_Add(m_Value(L), m_Value(R))) &&
      !match(V, m_DisjointOr(m_Value(L), m_Value(R))))
    return nullptr;
  if (!Constants.contains(L))
    std::swap(L, R);
  Value *Rest = Constants.contains(L) ? shared(R, B, Build) : nullptr;
  return Rest && Build ? B.CreateAdd(L, Rest) : Rest;
}

/// Reads `br (icmp Index < Bound), First, Exit` at the end of the header, which
/// alone leads out of the loop.
bool LoopSplitter::findCondition(Loop &L, StridedLoop &Found) const {
  auto *Branch = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  if (L.getExitingBlock() != L.getHeader() || !Branch ||
      !Branch->isConditional())
    return false;
  auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Compare)
    return false;
  CmpInst::Predicate P = Compare->getPredicate();
  bool Stays = L.contains(Branch->getSuccessor(0));
  Found.First = Branch->getSuccessor(!Stays);
  if (!Stays)
    P = CmpInst::getInversePredicate(P);
  Value *Index = Compare->getOperand(0);
  Found.Bound = Compare->getOperand(1);
  if (isa<PHINode>(Found.Bound)) {
    std::swap(Index, Found.Bound);
    P = CmpInst::getSwappedPredicate(P);
  }
  Found.Index = dyn_cast<PHINode>(Index);
  Found.IsSigned = P == CmpInst::ICMP_SLT;
  return (Found.IsSigned || P == CmpInst::ICMP_ULT) && Found.Index &&
         Found.Index->getParent() == L.getHeader() &&
         Constants.contains(Found.Bound);
}

bool LoopSplitter::find(Loop &L, StridedLoop &Found) const {
  if (!L.isInnermost() || !L.getLoopPreheader() || !L.getLoopLatch() ||
      L.getLoopLatch() == L.getHeader() || !stays(L) ||
      !findCondition(L, Found))
    return false;
  Value *Next = Found.Index->getIncomingValueForBlock(L.getLoopLatch());
  if (!match(Next, m_c_Add(m_Specific(Found.Index), m_Value(Found.Step))) ||
      !Constants.contains(Found.Step))
    return false;
  IRBuilder<> None(Body.getContext());
  Value *Start = Found.Index->getIncomingValueForBlock(L.getLoopPreheader());
  Found.L = &L;
  return shared(Start, None, /*Build=*/false) != nullptr;
}

/// Whether all threads make the iteration whose index is \p Shared and theirs.
Value *LoopSplitter::runsForAll(IRBuilder<> &B, const StridedLoop &S,
                                Value *Shared) const {
  Value *Others = ConstantInt::get(S.Bound->getType(), Threads - 1);
  Value *Last = B.CreateSub(S.Bound, Others);
  if (S.IsSigned)
    return B.CreateAnd(B.CreateICmpSGT(S.Bound, Others),
                       B.CreateICmpSLT(Shared, Last));
  return B.CreateAnd(B.CreateICmpUGT(S.Bound, Others),
                     B.CreateICmpULT(Shared, Last));
}

/// The constant \p V of the scope where \p Before is, which may be earlier than
/// where it is computed.
Value *LoopSplitter::early(Value *V, Instruction *Before) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Dominators.dominates(I, Before))
    return V;
  Instruction *Copy = I->clone();
  for (Use &U : Copy->operands())
    U.set(early(U, Before));
  Copy->insertBefore(Before->getIterator());
  return Copy;
}

/// Marks the loop that ends with \p Latch.
void markTogether(Instruction &Latch) {
  LLVMContext &C = Latch.getContext();
  MDNode *Mark = MDNode::get(C, MDString::get(C, TogetherMark));
  MDNode *Unroll = MDNode::get(C, MDString::get(C, "llvm.loop.unroll.disable"));
  MDNode *Id = MDNode::getDistinct(C, {nullptr, Mark, Unroll});
  Id->replaceOperandWith(0, Id);
  Latch.setMetadata(LLVMContext::MD_loop, Id);
}

/// Copies the blocks of \p L, which refer to each other then.
void copyLoop(const Loop &L, ValueToValueMapTy &Map) {
  SmallVector<BasicBlock *> Copies;
  for (BasicBlock *Block : L.blocks()) {
    Copies.push_back(CloneBasicBlock(Block, Map, ".all", Block->getParent()));
    Map[Block] = Copies.back();
  }
  remapInstructionsInBlocks(Copies, Map);
}

/// Puts the iterations that all threads make in front of \p S; see Note
/// [Strided loops].
void LoopSplitter::split(StridedLoop S) {
  BasicBlock *Before = S.L->getLoopPreheader();
  S.Step = early(S.Step, Before->getTerminator());
  S.Bound = early(S.Bound, Before->getTerminator());
  BasicBlock *Header = S.L->getHeader(), *Latch = S.L->getLoopLatch();
  BasicBlock *Test =
      BasicBlock::Create(Body.getContext(), "together", &Body, Header);
  ValueToValueMapTy Map;
  copyLoop(*S.L, Map);
  auto *CopyOfHeader = cast<BasicBlock>(Map[Header]);
  auto *CopyOfLatch = cast<BasicBlock>(Map[Latch]);
  IRBuilder<> B(Before->getTerminator());
  Value *First = shared(S.Index->getIncomingValueForBlock(Before), B, true);
  Before->getTerminator()->replaceSuccessorWith(Header, Test);
  B.SetInsertPoint(Test);
  PHINode *Shared = B.CreatePHI(S.Index->getType(), 2, "shared");
  SmallVector<std::pair<PHINode *, PHINode *>> Phis;
  for (PHINode &Phi : Header->phis()) {
    auto *Copy = cast<PHINode>(Map[&Phi]);
    Copy->moveBefore(*Test, Test->end());
    Copy->replaceIncomingBlockWith(Latch, CopyOfLatch);
    Phis.push_back({&Phi, Copy});
  }
  Value *Own = Body.getArg(1);
  Value *Index = B.CreateAdd(
      Shared, B.CreateZExtOrTrunc(Own, S.Index->getType()), "index");
  B.CreateCondBr(runsForAll(B, S, Shared), CopyOfHeader, Header);
  for (auto [Phi, Copy] : Phis) {
    Phi->setIncomingValueForBlock(Before, Phi == S.Index ? Index : Copy);
    Phi->replaceIncomingBlockWith(Before, Test);
  }
  auto *CopyOfIndex = cast<PHINode>(Map[S.Index]);
  CopyOfIndex->replaceAllUsesWith(Index);
  CopyOfIndex->eraseFromParent();
  ReplaceInstWithInst(CopyOfHeader->getTerminator(),
                      BranchInst::Create(cast<BasicBlock>(Map[S.First])));
  B.SetInsertPoint(CopyOfLatch->getTerminator());
  Shared->addIncoming(First, Before);
  Shared->addIncoming(B.CreateAdd(Shared, S.Step), CopyOfLatch);
  CopyOfLatch->getTerminator()->replaceSuccessorWith(CopyOfHeader, Test);
  markTogether(*CopyOfLatch->getTerminator());
}

void LoopSplitter::run() {
  for (Loop *L : Loops.getLoopsInPreorder())
    simplifyLoop(L, &Dominators, &Loops, nullptr, nullptr, nullptr, false);
  SmallVector<StridedLoop> Found;
  for (Loop *L : Loops.getLoopsInPreorder())
    if (StridedLoop S; find(*L, S))
      Found.push_back(S);
  for (const StridedLoop &S : Found)
    split(S);
}

} // namespace

void splitStridedLoops(Function &Body, uint32_t Threads,
                       LaunchConstants::Of Scope) {
  LoopSplitter(Body, Threads, Scope).run();
}

bool isTogether(const Loop &L) {
  return findOptionMDForLoop(&L, TogetherMark) != nullptr;
}

} // namespace blockmaestro
