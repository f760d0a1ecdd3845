// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionCuts.h"

#include "StridedLoops.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Above this many blocks behind a divergent branch, only the post-dominator is
/// tried as the point where its threads meet.
constexpr unsigned MeetingSearchLimit = 400;

} // namespace

RegionCuts::RegionCuts(Function &Body, ArrayRef<BasicBlock *> Sites,
                       const Uniformity &Same, const PostDominatorTree &After)
    : Body(Body), Same(Same), After(After) {
  Barriers.insert_range(Sites);
  for (Loop *L : Same.loops().getLoopsInPreorder()) {
    SmallVector<BasicBlock *> Exits;
    if (isTogether(*L))
      L->getExitingBlocks(Exits);
    for (BasicBlock *Exit : Exits)
      if (Same.branchesUniformly(*Exit))
        LoopEnds.insert(Exit);
  }
}

void RegionCuts::fill(RegionPlan &Plan) {
  ReversePostOrderTraversal<Function *> Order(&Body);
  bool Irreducible = containsIrreducibleCFG<BasicBlock *>(Order, Same.loops());
  Plan.Fixed = !Irreducible &&
               ((!LoopEnds.empty() && fillFixed(Plan, /*CutLoops=*/true)) ||
                fillFixed(Plan, /*CutLoops=*/false));
  if (!Plan.Fixed)
    fillOpen(Plan);
}

/// Every block reachable from \p From without leaving one of \p Stops.
RegionCuts::BlockSet RegionCuts::reachable(ArrayRef<BasicBlock *> From,
                                           const BlockSet &Stops) const {
  BlockSet Found(From.begin(), From.end());
  for (unsigned K = 0; K < Found.size(); ++K)
    if (!Stops.contains(Found[K]))
      for (BasicBlock *Next : successors(Found[K]))
        Found.insert(Next);
  return Found;
}

/// Whether every way on from \p Branch comes to \p Point, or ends, before any
/// stop and before another iteration of a loop around both.
bool RegionCuts::allMeetAt(BasicBlock *Branch, BasicBlock *Point,
                           const BlockSet &Stops) const {
  BlockSet Between;
  for (BasicBlock *Next : successors(Branch))
    if (Next != Point)
      Between.insert(Next);
  for (unsigned K = 0; K < Between.size(); ++K) {
    if (Stops.contains(Between[K]))
      return false;
    for (BasicBlock *Next : successors(Between[K]))
      if (Next != Point)
        Between.insert(Next);
  }
  for (const Loop *L = Same.loops().getLoopFor(Branch); L;
       L = L->getParentLoop())
    if (L->contains(Point) && Between.contains(L->getHeader()))
      return false;
  return true;
}

/// Where the threads that \p Branch separates are together again, the returned
/// ones aside; null where there is no such block.
BasicBlock *RegionCuts::meetingPoint(BasicBlock *Branch,
                                     const BlockSet &Stops) const {
  if (const auto *Node = After.getNode(Branch))
    if (const auto *Dominator = Node->getIDom())
      if (BasicBlock *Point = Dominator->getBlock();
          Point && allMeetAt(Branch, Point, Stops))
        return Point;
  SmallVector<BasicBlock *> Ways(successors(Branch));
  BlockSet Ahead = reachable(Ways, Stops);
  if (Ahead.size() > MeetingSearchLimit)
    return nullptr;
  for (BasicBlock *Point : Ahead)
    if (allMeetAt(Branch, Point, Stops))
      return Point;
  return nullptr;
}

/// The blocks that threads which begin at \p Entry together pass together.
RegionCuts::Spine RegionCuts::walk(BasicBlock *Entry,
                                   const BlockSet &Stops) const {
  Spine Steps;
  SmallVector<BasicBlock *> Open = {Entry};
  while (!Open.empty()) {
    BasicBlock *Block = Open.pop_back_val();
    auto [Place, New] = Steps.insert({Block, {}});
    if (!New || Stops.contains(Block))
      continue;
    if (Same.branchesUniformly(*Block))
      Place->second.assign(succ_begin(Block), succ_end(Block));
    else if (BasicBlock *Point = meetingPoint(Block, Stops))
      Place->second = {Point};
    Open.append(Place->second.begin(), Place->second.end());
  }
  return Steps;
}

RegionCuts::BlockSet RegionCuts::stopsFrom(BasicBlock *From, const Spine &Steps,
                                           const BlockSet &Stops) const {
  BlockSet Seen, Found;
  Seen.insert(From);
  for (unsigned K = 0; K < Seen.size(); ++K) {
    if (Stops.contains(Seen[K]))
      Found.insert(Seen[K]);
    else if (auto Step = Steps.find(Seen[K]); Step != Steps.end())
      Seen.insert(Step->second.begin(), Step->second.end());
  }
  return Found;
}

void RegionCuts::collectBlocks(Region &R, const BlockSet &Stops) const {
  BlockSet Inside = reachable({R.Entry}, Stops);
  R.Blocks.clear();
  for (BasicBlock &Block : Body)
    if (Inside.contains(&Block)) {
      R.Blocks.insert(&Block);
      R.MayReturn |= isa<ReturnInst>(Block.getTerminator());
    }
}

/// Finds the one cut of \p R; fails where its threads may reach different ones,
/// or the same one in different ways.
bool RegionCuts::traceFixed(Region &R, bool CutLoops) {
  BlockSet Stops = Barriers;
  if (CutLoops)
    for (auto &[Block, Next] : walk(R.Entry, Barriers))
      if (LoopEnds.contains(Block))
        Stops.insert(Block);
  Spine Steps;
  for (bool Grown = true; Grown;) {
    Grown = false;
    Steps = walk(R.Entry, Stops);
    for (auto &[Block, Next] : Steps) {
      if (Next.size() < 2 || Stops.contains(Block))
        continue;
      BlockSet First = stopsFrom(Next[0], Steps, Stops);
      for (BasicBlock *Other : drop_begin(Next)) {
        BlockSet Others = stopsFrom(Other, Steps, Stops);
        if (First.size() == Others.size() && set_is_subset(First, Others))
          continue;
        Grown |= Stops.insert(Block);
        break;
      }
      if (Grown)
        break;
    }
  }
  collectBlocks(R, Stops);
  for (BasicBlock *Block : R.Blocks)
    if (Stops.contains(Block)) {
      R.Cuts.push_back(Block);
      if (!Steps.count(Block))
        return false;
    }
  for (auto &[Block, Next] : Steps)
    Together.insert(Block);
  return R.Cuts.size() <= 1;
}

/// With \p CutLoops every iteration of a loop that all threads make together is
/// a region.
bool RegionCuts::fillFixed(RegionPlan &Plan, bool CutLoops) {
  Plan.Regions.clear();
  Plan.RegionAt.clear();
  Together.clear();
  BlockSet Entries;
  Entries.insert(&Body.getEntryBlock());
  for (unsigned K = 0; K < Entries.size(); ++K) {
    Region R;
    R.Entry = Entries[K];
    if (!traceFixed(R, CutLoops))
      return false;
    Plan.RegionAt[R.Entry] = K;
    for (BasicBlock *Cut : R.Cuts)
      Entries.insert(succ_begin(Cut), succ_end(Cut));
    Plan.Regions.push_back(std::move(R));
  }
  return true;
}

/// Cuts at barriers only, wherever threads go.
void RegionCuts::fillOpen(RegionPlan &Plan) {
  Plan.Regions.clear();
  Plan.RegionAt.clear();
  Together.clear();
  BlockSet Entries;
  Entries.insert(&Body.getEntryBlock());
  for (unsigned K = 0; K < Entries.size(); ++K) {
    Region R;
    R.Entry = Entries[K];
    collectBlocks(R, Barriers);
    for (BasicBlock *Block : R.Blocks)
      if (Barriers.contains(Block)) {
        R.Cuts.push_back(Block);
        Entries.insert(Block->getSingleSuccessor());
      }
    Plan.RegionAt[R.Entry] = K;
    Plan.Regions.push_back(std::move(R));
  }
}

} // namespace blockmaestro
