// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Guards.h"
#include "KernelAnalysis.h"
#include "Polynomials.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <set>

using namespace llvm;

// Note [Leaving]
// A block b behind a loop is reached, given that the loop's header h runs, over
// some of the edges that leave the loop. An edge from x is taken in the first
// iteration that comes to x and meets the branch's condition. If both the
// conditions on the way from h to x and the branch's are the same in all
// iterations (they use no counter of the loop or of loops inside, and no value)
// it is taken in the first iteration or never. So where that is so for all
// edges behind which b is not reached, as for "if (i >= n) return" in a
// grid-stride loop, b runs where none of them is taken; and where it is so for
// all edges that lead to b, b runs where one of them is.

namespace blockmaestro {

/// Whether some path from From comes to To before it comes back to a block that
/// dominates Top.
bool GuardFinder::mayReach(const BasicBlock *From, const BasicBlock *To,
                           const BasicBlock *Top) const {
  std::set<const BasicBlock *> Seen{From};
  std::vector<const BasicBlock *> Work{From};
  while (!Work.empty()) {
    const BasicBlock *Block = Work.back();
    Work.pop_back();
    if (Block == To || !K.Effort.spend())
      return true;
    for (const BasicBlock *Next : successors(Block))
      if (!K.DT.dominates(Next, Top) && Seen.insert(Next).second)
        Work.push_back(Next);
  }
  return false;
}

/// Whether C is the same in all iterations of L.
bool GuardFinder::isInvariant(const Condition &C, const Loop &L) const {
  auto Changes = [&](const auto &Part) {
    if (mentions(Part.Value, K.F, kindBit(SymbolKind::Value)))
      return true;
    return any_of(L.getLoopsInPreorder(), [&](const Loop *Each) {
      return mentionsCounter(Part.Value, K.F, K.Loops.number(*Each));
    });
  };
  return !C.Inexact && none_of(C.Assumptions, Changes) &&
         none_of(C.Any,
                 [&](const Conjunction &All) { return any_of(All, Changes); });
}

/// When an iteration of L comes to Block, which is in L.
Condition GuardFinder::inside(const Loop &L, const BasicBlock *Block) {
  Condition Result;
  while (Block != L.getHeader()) {
    bool AroundLoop = false;
    const BasicBlock *From = above(Block, AroundLoop);
    Result = both(step(From, Block, AroundLoop), std::move(Result), K.F);
    Block = From;
  }
  return Result;
}

std::optional<Condition> GuardFinder::leaves(const Loop &L, const Edge &Out) {
  Condition Result = both(inside(L, Out.first), edge(Out), K.F);
  return isInvariant(Result, L) ? std::optional(std::move(Result))
                                : std::nullopt;
}

std::optional<Condition> GuardFinder::stays(const Loop &L, const Edge &Out) {
  Condition Stay;
  Stay.Any.clear();
  for (const BasicBlock *Next : successors(Out.first))
    if (Next != Out.second)
      Stay = either(std::move(Stay), edge({Out.first, Next}), K.F);
  Condition Result =
      either(negated(inside(L, Out.first), K.F), std::move(Stay), K.F);
  return isInvariant(Result, L) ? std::optional(std::move(Result))
                                : std::nullopt;
}

/// See Note [Leaving]: when To runs, given that L's header does; AtOnce, when
/// an edge leaves L to To.
Condition GuardFinder::behind(const Loop &L, const BasicBlock *To,
                              bool AtOnce) {
  const Condition Unknown =
      unknownCondition({ReasonKind::GuardAlternatives, ""});
  SmallVector<Loop::Edge, 8> Out;
  L.getExitEdges(Out);
  std::optional<Condition> Taken = Condition(), NoneElse = Condition();
  Taken->Any.clear();
  for (const auto &[From, Next] : Out) {
    bool Leads = Next == To || (!AtOnce && alwaysReaches(Next, To, false));
    if (!Leads && !AtOnce && mayReach(Next, To, L.getHeader()))
      return Unknown;
    std::optional<Condition> One =
        Leads ? leaves(L, {From, Next}) : stays(L, {From, Next});
    std::optional<Condition> &All = Leads ? Taken : NoneElse;
    if (!One || !All)
      All.reset();
    else
      All = Leads ? either(std::move(*All), std::move(*One), K.F)
                  : both(std::move(*All), std::move(*One), K.F);
  }
  return NoneElse ? *NoneElse : Taken.value_or(Unknown);
}

} // namespace blockmaestro
