// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Guards.h"

#include "KernelAnalysis.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <algorithm>
#include <set>

using namespace llvm;

// Note [Guards]
// Walking up the dominator tree from a block b, each step to its immediate
// dominator d is one of four kinds. One edge of d's branch leads to b and to
// nothing else: b runs, given d, exactly under that edge's condition. Every
// path from d comes through b before it ends or comes back: b runs whenever d
// does. Otherwise b runs under some of d's paths: if those are few and go round
// no loop that b is in, b runs when all branches of one of the paths go its
// way. A branch whose two sides both lead on the same way says nothing, and
// where one side leads to b at once, the other paths need not say that it was
// not taken. In all other cases the step gives no constraint and the guards are
// inexact. A loop that was left before b was reached counts as one step from
// its header; see Note [Leaving]. A path that ends in a trap is none: the
// kernel is over.

// Note [Joining]
// What a phi joins it brings under the conditions on the way that was taken
// from its immediate dominator, the last time that the phi was come by. So it
// must not be come by twice without that dominator in between: not at the head
// of a loop, nor in a cycle that is entered at several places, as by a goto.
// And what is asked behind a loop that the phi is in is that of the last
// iteration, whose number is not known: there the conditions must be the same
// in all.

namespace blockmaestro {

namespace {

constexpr unsigned MaxWays = 48;
constexpr unsigned MaxWayLength = 24;

/// Whether the kernel is over at the end of Block, not the thread alone.
bool isTrap(const BasicBlock *Block) {
  const Instruction *End = Block->getTerminator();
  const auto *Call = dyn_cast_or_null<IntrinsicInst>(End->getPrevNode());
  const bool Exits = Call && Call->getIntrinsicID() == Intrinsic::nvvm_exit;
  return isa<UnreachableInst>(End) && !Exits;
}

Rejection guardRejection(const Instruction *Branch) {
  Rejection R{ReasonKind::GuardNotPolynomial, ""};
  if (const DebugLoc &Where = Branch->getDebugLoc())
    R.Detail = "line " + std::to_string(Where.getLine());
  return R;
}

/// Whether all of From's ways on are To, traps aside.
bool isOnlyWay(const BasicBlock *From, const BasicBlock *To) {
  return all_of(successors(From), [&](const BasicBlock *Next) {
    return Next == To || isTrap(Next);
  });
}

} // namespace

GuardFinder::GuardFinder(KernelAnalysis &K) : K(K) {
  Cycles.compute(*K.DT.getRoot()->getParent());
}

/// The block of the step that ends at Block: its immediate dominator, or the
/// header of the loop that was left. Null at the entry.
const BasicBlock *GuardFinder::above(const BasicBlock *Block,
                                     bool &AroundLoop) const {
  const DomTreeNode *Node = K.DT.getNode(Block);
  if (!Node || !Node->getIDom())
    return nullptr;
  const BasicBlock *From = Node->getIDom()->getBlock();
  for (const Loop *L = K.LI.getLoopFor(From); L && !L->contains(Block);
       L = L->getParentLoop()) {
    From = L->getHeader();
    AroundLoop = true;
  }
  return From;
}

const Condition &GuardFinder::find(const BasicBlock *Block) {
  struct Step {
    const BasicBlock *From, *To;
    bool AroundLoop;
  };
  std::vector<Step> Way;
  auto Found = Known.find(Block);
  for (const BasicBlock *To = Block; Found == Known.end();) {
    bool AroundLoop = false;
    const BasicBlock *From = above(To, AroundLoop);
    if (From)
      Way.push_back({From, To, AroundLoop});
    Found = From ? Known.find(From) : Known.try_emplace(To).first;
    To = From;
  }
  for (const Step &S : reverse(Way))
    Found = Known
                .try_emplace(
                    S.To, extended(Found->second, S.From, S.To, S.AroundLoop))
                .first;
  return Found->second;
}

/// When To runs, if From runs under Outer. Beyond a limit what is between the
/// two says nothing.
Condition GuardFinder::extended(const Condition &Outer, const BasicBlock *From,
                                const BasicBlock *To, bool AroundLoop) {
  size_t Constraints = 0;
  for (const Conjunction &All : Outer.Any)
    Constraints += All.size();
  if (Constraints <= MaxGuard && Outer.Assumptions.size() <= MaxAssumptions &&
      !K.Effort.isSpent())
    return both(Outer, step(From, To, AroundLoop), K.F);
  Condition Result = Outer;
  if (!Result.Inexact)
    Result.Inexact = Rejection{ReasonKind::KernelTooLarge, ""};
  return Result;
}

/// When To runs, given that From does.
Condition GuardFinder::step(const BasicBlock *From, const BasicBlock *To,
                            bool AroundLoop) {
  if (alwaysReaches(From, To, AroundLoop))
    return {};
  if (AroundLoop)
    return behind(*K.LI.getLoopFor(From), To, false);
  if (To->getSinglePredecessor() == From)
    return edge({From, To});
  return alternatives(From, To);
}

/// Whether every path from From comes through To before it ends, or comes back
/// to From or to a loop around it. With AroundLoop, From is the header of a
/// loop and paths may go round that loop.
bool GuardFinder::alwaysReaches(const BasicBlock *From, const BasicBlock *To,
                                bool AroundLoop) const {
  std::set<const BasicBlock *> Seen;
  std::vector<const BasicBlock *> Work{From};
  while (!Work.empty()) {
    const BasicBlock *Block = Work.back();
    Work.pop_back();
    if (!K.Effort.spend() || (succ_empty(Block) && !isTrap(Block)))
      return false;
    for (const BasicBlock *Next : successors(Block)) {
      if (Next == To || (Next == From && AroundLoop))
        continue;
      if (K.DT.dominates(Next, From))
        return false;
      if (Seen.insert(Next).second)
        Work.push_back(Next);
    }
  }
  return true;
}

/// When the terminator of Along's first block goes to its second.
Condition GuardFinder::edge(const Edge &Along) {
  const auto [From, To] = Along;
  const Loop *Scope = K.LI.getLoopFor(From);
  const Instruction *End = From->getTerminator();
  Condition Result;
  if (isOnlyWay(From, To))
    return Result;
  if (const auto *Branch = dyn_cast<BranchInst>(End)) {
    Result = K.Tests.translate(Branch->getCondition(),
                               Branch->getSuccessor(0) == To, Scope);
  } else if (const auto *Switch = dyn_cast<SwitchInst>(End)) {
    bool Default = Switch->getDefaultDest() == To;
    if (!Default)
      Result.Any.clear();
    for (const auto &Case : Switch->cases()) {
      if ((Case.getCaseSuccessor() == To) == Default)
        continue;
      Condition One = K.Tests.equality(Switch->getCondition(),
                                       Case.getCaseValue(), !Default, Scope);
      Result = Default ? both(std::move(Result), std::move(One), K.F)
                       : either(std::move(Result), std::move(One), K.F);
    }
  } else {
    Result = unknownCondition({ReasonKind::GuardNotPolynomial, ""});
  }
  if (Result.Inexact && Result.Inexact->Kind == ReasonKind::GuardNotPolynomial)
    Result.Inexact = guardRejection(End);
  return Result;
}

/// The loop that Along passes as a whole: it leads from its header to where one
/// of its exits goes. Null for an edge of the program.
const Loop *GuardFinder::passed(const Edge &Along) const {
  const Loop *L = K.LI.getLoopFor(Along.first);
  return L && L->getHeader() == Along.first && !L->contains(Along.second)
             ? L
             : nullptr;
}

/// Where the ways to Block go on from At, traps aside; from the header of a
/// loop that Block is not in, to where the loop is left to.
std::vector<const BasicBlock *>
GuardFinder::waysOn(const BasicBlock *At, const BasicBlock *Block) const {
  std::vector<const BasicBlock *> Next;
  auto Add = [&](const BasicBlock *To) {
    if (!isTrap(To) && !is_contained(Next, To))
      Next.push_back(To);
  };
  if (const Loop *L = passed({At, Block})) {
    SmallVector<BasicBlock *, 8> Out;
    L->getExitBlocks(Out);
    for_each(Out, Add);
  } else {
    for_each(successors(At), Add);
  }
  return Next;
}

/// Appends the ways from Top to Block that do not come through Not to Ways: of
/// each, the edges where there is a choice. False when there are too many or
/// they go round a loop.
bool GuardFinder::collectWays(const BasicBlock *Top, const BasicBlock *Block,
                              const BasicBlock *Not,
                              std::vector<Way> &Ways) const {
  constexpr unsigned MostSteps = MaxWays * MaxWayLength;
  std::vector<std::pair<const BasicBlock *, Way>> Work{{Top, {}}};
  for (unsigned Steps = 0; !Work.empty(); ++Steps) {
    auto [At, So] = std::move(Work.back());
    Work.pop_back();
    if (Steps > MostSteps || Ways.size() > MaxWays ||
        So.size() > MaxWayLength || !K.Effort.spend())
      return false;
    if (At == Block) {
      Ways.push_back(std::move(So));
      continue;
    }
    const std::vector<const BasicBlock *> Next = waysOn(At, Block);
    for (const BasicBlock *To : reverse(Next)) {
      if (To == Not)
        continue;
      if (To != Block && K.DT.dominates(To, At)) {
        if (K.DT.dominates(To, Top))
          continue;
        return false;
      }
      Way On = So;
      if (Next.size() > 1)
        On.emplace_back(At, To);
      Work.emplace_back(To, std::move(On));
    }
  }
  return true;
}

/// Whether A and B differ in which side of one two-way branch they take at
/// place At, and nowhere else before End.
bool GuardFinder::differAt(const Way &A, const Way &B, size_t At) const {
  return At < A.size() && At < B.size() &&
         std::equal(A.begin(), A.begin() + At, B.begin()) &&
         A[At].first == B[At].first && A[At].second != B[At].second &&
         succ_size(A[At].first) == 2 && !passed(A[At]) && !passed(B[At]);
}

/// Takes out of Ways what Note [Guards] says they need not say.
void GuardFinder::shorten(std::vector<Way> &Ways) const {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = 0; I < Ways.size() && !Changed; ++I)
      for (size_t J = 0; J < Ways.size() && !Changed; ++J)
        for (size_t At = 0; I != J && At < Ways[I].size() && !Changed; ++At) {
          if (!differAt(Ways[I], Ways[J], At))
            continue;
          bool Same = std::equal(Ways[I].begin() + At + 1, Ways[I].end(),
                                 Ways[J].begin() + At + 1, Ways[J].end());
          bool AtOnce = At + 1 == Ways[I].size();
          if (!Same && !AtOnce)
            continue;
          Ways[J].erase(Ways[J].begin() + At);
          if (Same)
            Ways.erase(Ways.begin() + I);
          Changed = true;
        }
  }
}

Condition GuardFinder::translate(std::vector<Way> Ways) {
  shorten(Ways);
  Condition Result;
  Result.Any.clear();
  for (const Way &One : Ways) {
    Condition All;
    for (const Edge &Along : One) {
      const Loop *L = passed(Along);
      All = both(std::move(All),
                 L ? behind(*L, Along.second, true) : edge(Along), K.F);
    }
    Result = either(std::move(Result), std::move(All), K.F);
  }
  return Result;
}

Condition GuardFinder::alternatives(const BasicBlock *Top,
                                    const BasicBlock *Block) {
  std::vector<Way> Ways;
  if (!collectWays(Top, Block, nullptr, Ways))
    return unknownCondition({ReasonKind::GuardAlternatives, ""});
  return translate(std::move(Ways));
}

const BasicBlock *GuardFinder::parting(const PHINode &Phi) const {
  const BasicBlock *Block = Phi.getParent();
  const DomTreeNode *Node = K.DT.getNode(Block);
  for (const Cycle *C = Cycles.getCycle(Block); C; C = C->getParentCycle())
    if (!C->isReducible() || C->getHeader() == Block)
      return nullptr;
  return Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
}

Condition GuardFinder::along(const BasicBlock *Top, const BasicBlock *From,
                             const BasicBlock *To, const Loop *Scope) {
  std::vector<Way> Ways;
  if (!collectWays(Top, From, To, Ways))
    return unknownCondition({ReasonKind::GuardAlternatives, ""});
  Condition Result = both(translate(std::move(Ways)), edge({From, To}), K.F);
  for (const Loop *L = K.LI.getLoopFor(To); L && !L->contains(Scope);
       L = L->getParentLoop())
    if (!isInvariant(Result, *L))
      return unknownCondition({ReasonKind::LoopValueLeft, ""});
  return Result;
}

} // namespace blockmaestro
