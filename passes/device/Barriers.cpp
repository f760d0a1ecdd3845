// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Barriers.h"

#include "Calls.h"
#include "PtxAssembly.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace blockmaestro {

namespace {

using FunctionSet = SmallPtrSet<const Function *, 8>;

/// Whether Call executes a barrier, possibly inside one of WithBarrier.
bool meets(const CallBase &Call, const FunctionSet &WithBarrier) {
  return isBlockBarrier(Call) ||
         any_of(targetsOf(Call).Functions, [&](const Function *Target) {
           return WithBarrier.contains(Target);
         });
}

/// The functions of Functions that execute a barrier, directly or not.
FunctionSet withBarrier(const std::vector<const Function *> &Functions) {
  FunctionSet Found;
  auto Meets = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && meets(*Call, Found);
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function *F : Functions)
      if (!Found.contains(F) && any_of(instructions(*F), Meets))
        Changed = Found.insert(F).second;
  }
  return Found;
}

/// Whether a return can be reached from From without passing Avoid, which may
/// be null.
bool reachesReturn(const BasicBlock *From, const BasicBlock *Avoid) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Work;
  if (From != Avoid)
    Work.push_back(From);
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    if (!Seen.insert(Block).second)
      continue;
    if (isa<ReturnInst>(Block->getTerminator()))
      return true;
    for (const BasicBlock *Next : successors(Block))
      if (Next != Avoid)
        Work.push_back(Next);
  }
  return false;
}

/// Whether L is left by one edge only, ways into a trap aside.
bool hasOneExit(const Loop &L) {
  SmallVector<Loop::Edge, 4> Edges;
  L.getExitEdges(Edges);
  return count_if(Edges, [](const Loop::Edge &Edge) {
           return reachesReturn(Edge.second, nullptr);
         }) <= 1;
}

/// Whether Site is in a cycle that is no loop, as a goto makes.
bool isInOtherCycle(const BasicBlock *Site, const CycleInfo &Cycles) {
  const Cycle *C = Cycles.getCycle(Site);
  while (C && C->isReducible())
    C = C->getParentCycle();
  return C;
}

/// Whether block Site is reached by every thread that enters its function.
bool reachedByAll(const BasicBlock *Site, const DominatorTree &Dominators,
                  const LoopInfo &Loops, const CycleInfo &Cycles) {
  if (isInOtherCycle(Site, Cycles))
    return false;
  for (const Loop *L = Loops.getLoopFor(Site); L; L = L->getParentLoop()) {
    const BasicBlock *Latch = L->getLoopLatch();
    if (!Latch || !hasOneExit(*L) || !Dominators.dominates(Site, Latch))
      return false;
    const BranchInst *Around = L->getLoopGuardBranch();
    Site = Around ? Around->getParent() : L->getHeader();
  }
  return !reachesReturn(&Site->getParent()->getEntryBlock(), Site);
}

bool mayMissBarrier(const Function &F, const FunctionSet &WithBarrier) {
  DominatorTree Dominators(const_cast<Function &>(F));
  LoopInfo Loops(Dominators);
  CycleInfo Cycles;
  Cycles.compute(const_cast<Function &>(F));
  return any_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && meets(*Call, WithBarrier) &&
           !reachedByAll(I.getParent(), Dominators, Loops, Cycles);
  });
}

} // namespace

bool isBlockBarrier(const CallBase &Call) {
  if (Call.isInlineAsm())
    return describeAssembly(Call).Barrier;
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  return Name.starts_with("llvm.nvvm.barrier.cta.") ||
         Name.starts_with("llvm.nvvm.barrier0") ||
         Name.starts_with("llvm.nvvm.bar.sync");
}

bool mayMissBarrier(const Function &Kernel) {
  std::vector<const Function *> Functions = reachableFrom(Kernel);
  FunctionSet WithBarrier = withBarrier(Functions);
  return any_of(Functions, [&](const Function *F) {
    return WithBarrier.contains(F) && mayMissBarrier(*F, WithBarrier);
  });
}

} // namespace blockmaestro
