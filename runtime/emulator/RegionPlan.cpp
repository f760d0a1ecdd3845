// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Note [Regions]
// ~~~~~~~~~~~~~~
// Between two barriers the threads of a block run in any order, so the code
// between them can be a loop over the threads. The body of one thread is cut at
// its barriers; each piece, from one barrier to whichever comes next, is a
// region and becomes one loop. A block of code that several regions reach is
// copied into each. What a thread needs later, it leaves in the block's frames
// at the end of one region and finds there at the beginning of the next.
//
// Which region comes next must be the same for all threads, or be looked up per
// thread. In an *open* plan every thread notes the barrier it reached. When all
// noted the same one, its region runs for all threads. Else a round runs every
// region that has threads waiting, for those threads only; CUDA lets a barrier
// be met by threads that stand at different places in the code. This is right
// for any control flow and rests on no analysis.
//
// A *fixed* plan needs no notes, which is what makes a hand-written version
// fast. It holds when the threads, starting together, provably reach each cut
// together: from a region's entry we walk the branches that Uniformity shows
// all threads take alike, and jump over a divergent branch to the block where
// its threads meet again, if no barrier is between. Where a uniform branch
// decides which barrier comes next, the region is cut at the branch too, and
// the block function itself branches there. Threads that return early are no
// obstacle; they are left out of later regions.
//
// "Together" must mean the same iteration too. In
//     for (i = 0; i < n; ++i) { if (i == tid) continue; __syncthreads(); }
// threads stand at one barrier with different i. A meeting point therefore must
// not lie behind the header of a loop around it: such a kernel is open. So in a
// fixed plan a value that is uniform, computed where all threads pass, in loops
// that all leave together, is the same for all threads at every cut after it,
// and is kept once per block. Everything else is kept per thread, or computed
// again where that takes a few instructions.

#include "RegionPlan.h"

#include "LaunchConstants.h"
#include "RegionCuts.h"
#include "Uniformity.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr unsigned RepeatLimit = 12;

bool isCheap(const Instruction &I) {
  if (const auto *Op = dyn_cast<BinaryOperator>(&I))
    return I.getType()->isIntegerTy() && !Op->isIntDivRem();
  return isa<CastInst, GetElementPtrInst, ICmpInst, SelectInst>(I);
}

/// Counts the instructions needed for \p V; more than RepeatLimit means no.
unsigned costToRepeat(const Value *V, const LaunchConstants &Constants,
                      function_ref<bool(const Value *)> IsLeaf,
                      unsigned Sofar) {
  if (isa<Argument>(V) || Constants.contains(V) || IsLeaf(V))
    return Sofar;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !isCheap(*I))
    return RepeatLimit + 1;
  for (const Use &U : I->operands())
    if (Sofar <= RepeatLimit)
      Sofar = costToRepeat(U, Constants, IsLeaf, Sofar);
  return Sofar + 1;
}

/// Which values are live where blocks begin, by number.
class Liveness {
public:
  Liveness(Function &Body, const LaunchConstants &Constants);

  const BitVector &liveIn(BasicBlock *Block) { return In[Block]; }
  Instruction *value(unsigned K) const { return Values[K]; }
  unsigned size() const { return Values.size(); }

private:
  void countUse(BitVector &Used, const BitVector &Defined, const Value *V);
  void summarize(BasicBlock &Block);
  bool update(BasicBlock &Block);

  SmallVector<Instruction *> Values;
  DenseMap<const Value *, unsigned> NumberOf;
  DenseMap<BasicBlock *, BitVector> In, Used, Defined, UsedByPhis;
};

Liveness::Liveness(Function &Body, const LaunchConstants &Constants) {
  for (Instruction &I : instructions(Body)) {
    if (I.getType()->isVoidTy() || isa<AllocaInst>(I) || Constants.contains(&I))
      continue;
    NumberOf[&I] = Values.size();
    Values.push_back(&I);
  }
  for (BasicBlock &Block : Body)
    for (auto *Sets : {&In, &Used, &Defined, &UsedByPhis})
      (*Sets)[&Block].resize(Values.size());
  for (BasicBlock &Block : Body)
    summarize(Block);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : post_order(&Body))
      Changed |= update(*Block);
  }
}

void Liveness::countUse(BitVector &Used, const BitVector &Defined,
                        const Value *V) {
  auto Number = NumberOf.find(V);
  if (Number != NumberOf.end() && !Defined.test(Number->second))
    Used.set(Number->second);
}

/// What \p Block reads before it defines it, and what it defines. A phi reads
/// where its edge begins.
void Liveness::summarize(BasicBlock &Block) {
  for (Instruction &I : Block) {
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K)
        countUse(UsedByPhis[Phi->getIncomingBlock(K)], BitVector(Values.size()),
                 Phi->getIncomingValue(K));
    } else {
      for (const Use &U : I.operands())
        countUse(Used[&Block], Defined[&Block], U);
    }
    if (auto Number = NumberOf.find(&I); Number != NumberOf.end())
      Defined[&Block].set(Number->second);
  }
}

bool Liveness::update(BasicBlock &Block) {
  BitVector Live = UsedByPhis[&Block];
  for (BasicBlock *Next : successors(&Block))
    Live |= In[Next];
  Live.reset(Defined[&Block]);
  Live |= Used[&Block];
  if (Live == In[&Block])
    return false;
  In[&Block] = std::move(Live);
  return true;
}

/// Chooses what is kept between regions, and where.
class ValuePlanner {
public:
  ValuePlanner(Function &Body, const LaunchConstants &Constants,
               const Uniformity &Same, const RegionCuts &Cuts, RegionPlan &Plan)
      : Constants(Constants), Same(Same), Cuts(Cuts), Plan(Plan),
        Live(Body, Constants) {}

  void run();

private:
  bool isSameAtCuts(const Value *V) const;
  Keep choose(Instruction *I) const;
  void add(Instruction *I);

  const LaunchConstants &Constants;
  const Uniformity &Same;
  const RegionCuts &Cuts;
  RegionPlan &Plan;
  Liveness Live;
  DenseMap<Instruction *, unsigned> NumberOf;
};

/// See Note [Regions].
bool ValuePlanner::isSameAtCuts(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Plan.Fixed || !Same.isUniform(*I) ||
      !Cuts.together().contains(I->getParent()))
    return false;
  for (const Loop *L = Same.loops().getLoopFor(I->getParent()); L;
       L = L->getParentLoop()) {
    SmallVector<BasicBlock *> Exits;
    L->getExitingBlocks(Exits);
    if (any_of(Exits,
               [&](BasicBlock *B) { return !Same.branchesUniformly(*B); }))
      return false;
  }
  return true;
}

Keep ValuePlanner::choose(Instruction *I) const {
  if (isSameAtCuts(I))
    return Keep::PerBlock;
  auto IsLeaf = [&](const Value *V) {
    const auto *Local = dyn_cast<AllocaInst>(V);
    return isSameAtCuts(V) || (Local && Plan.Arrays.contains(Local));
  };
  return isCheapToRepeat(I, Constants, IsLeaf) ? Keep::Again : Keep::PerThread;
}

/// Adds \p I, and what it is computed again from.
void ValuePlanner::add(Instruction *I) {
  if (isa<AllocaInst>(I) || Constants.contains(I) ||
      !NumberOf.insert({I, Plan.Values.size()}).second)
    return;
  Keep How = choose(I);
  Plan.Values.push_back({I, How});
  if (How != Keep::Again)
    return;
  SmallVector<Instruction *> Open = {I};
  while (!Open.empty())
    for (Value *Operand : Open.pop_back_val()->operands()) {
      auto *O = dyn_cast<Instruction>(Operand);
      if (O && isSameAtCuts(O))
        add(O);
      else if (O && !isa<AllocaInst>(O) && !Constants.contains(O))
        Open.push_back(O);
    }
}

void ValuePlanner::run() {
  for (Region &R : Plan.Regions)
    for (unsigned K : Live.liveIn(R.Entry).set_bits())
      add(Live.value(K));
  for (Region &R : Plan.Regions) {
    R.LiveIn.resize(Plan.Values.size());
    for (unsigned K : Live.liveIn(R.Entry).set_bits())
      R.LiveIn.set(NumberOf[Live.value(K)]);
  }
}

/// The blocks that use \p Local's memory; none where its address is given away,
/// so that any block may.
SetVector<BasicBlock *> blocksUsing(AllocaInst &Local) {
  SetVector<BasicBlock *> Blocks;
  SetVector<Instruction *> Pointers;
  Pointers.insert(&Local);
  for (unsigned K = 0; K < Pointers.size(); ++K)
    for (User *U : Pointers[K]->users()) {
      auto *I = cast<Instruction>(U);
      if (isa<LifetimeIntrinsic>(I))
        continue;
      Blocks.insert(I->getParent());
      if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(I))
        Pointers.insert(I);
      else if (auto *Store = dyn_cast<StoreInst>(I);
               !isa<LoadInst, MemIntrinsic>(I) &&
               !(Store && Store->getValueOperand() != Pointers[K]))
        return {};
    }
  return Blocks;
}

SmallPtrSet<BasicBlock *, 32> flood(ArrayRef<BasicBlock *> From, bool Forward) {
  SmallVector<BasicBlock *> Open(From);
  SmallPtrSet<BasicBlock *, 32> Seen(From.begin(), From.end());
  auto Visit = [&](BasicBlock *Next) {
    if (Seen.insert(Next).second)
      Open.push_back(Next);
  };
  while (!Open.empty()) {
    BasicBlock *Block = Open.pop_back_val();
    if (Forward)
      for_each(successors(Block), Visit);
    else
      for_each(predecessors(Block), Visit);
  }
  return Seen;
}

/// Whether a thread may write \p Local before a cut and read it after.
bool outlivesARegion(AllocaInst &Local, const RegionPlan &Plan) {
  SetVector<BasicBlock *> Users = blocksUsing(Local);
  auto UsedIn = [&](const SmallPtrSet<BasicBlock *, 32> &Blocks) {
    return any_of(Users, [&](BasicBlock *B) { return Blocks.contains(B); });
  };
  return any_of(drop_begin(Plan.Regions), [&](const Region &R) {
    return Users.empty() || (UsedIn(flood({R.Entry}, /*Forward=*/true)) &&
                             UsedIn(flood({R.Entry}, /*Forward=*/false)));
  });
}

void findArrays(Function &Body, RegionPlan &Plan) {
  if (Plan.Regions.size() == 1)
    return;
  for (Instruction &I : instructions(Body))
    if (auto *Local = dyn_cast<AllocaInst>(&I);
        Local && !Local->use_empty() && outlivesARegion(*Local, Plan))
      Plan.Arrays.insert(Local);
}

/// Gives every edge from a branch a block that nothing else leads to.
void separateEdges(Function &Body) {
  CriticalEdgeSplittingOptions Options;
  SplitAllCriticalEdges(Body, Options.setMergeIdenticalEdges());
  for (BasicBlock &Block : Body)
    if (Block.getSinglePredecessor())
      FoldSingleEntryPHINodes(&Block);
}

} // namespace

bool isCheapToRepeat(const Value *V, const LaunchConstants &Constants,
                     function_ref<bool(const Value *)> IsLeaf) {
  return costToRepeat(V, Constants, IsLeaf, 0) <= RepeatLimit;
}

RegionPlan planRegions(Function &Body, ArrayRef<BasicBlock *> Sites,
                       bool OfWarp) {
  RegionPlan Plan;
  separateEdges(Body);
  LaunchConstants Constants(Body, OfWarp ? LaunchConstants::Of::Row
                                         : LaunchConstants::Of::Block);
  Uniformity Same(Body, Constants);
  PostDominatorTree After(Body);
  RegionCuts Cuts(Body, Sites, Same, After);
  Cuts.fill(Plan);
  findArrays(Body, Plan);
  ValuePlanner(Body, Constants, Same, Cuts, Plan).run();
  return Plan;
}

} // namespace blockmaestro
