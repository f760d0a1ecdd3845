// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Guards.h"

#include "Polynomials.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

// Note [Guards]
// Walking up the dominator tree from a block b, each step to its immediate
// dominator d is one of three kinds. One edge of d's branch leads to b and to
// nothing else: b runs, given d, exactly under that edge's condition. Every
// path from d comes through b before it ends or comes back: b runs whenever d
// does. Otherwise b runs under some of d's paths, the step gives no constraint
// and the guards are inexact. A loop that was left before b was reached counts
// as one step from its header: its inner conditions say nothing about b.
// A comparison is made on w bits. Signed, it is the comparison of the integers
// P when both fit w bits signed. Unsigned, "a < b" is 0 <= P(a) < P(b) when
// P(a) fits w bits signed and P(b) is in 0 .. 2^(w-1): a negative P(a) is then
// above P(b) as unsigned number. Equality is P(a) - P(b) = 0 when the
// difference fits w bits signed.

namespace blockmaestro {

namespace {

using Predicate = CmpInst::Predicate;

/// Small < Large, or Small <= Large.
struct Ordered {
  Polynomial Small;
  Polynomial Large;
  bool Strict = false;
};

/// A comparison's operands in the integers, on Bits bits.
struct Operands {
  Polynomial Left;
  Polynomial Right;
  uint8_t Bits = 32;
};

Ordered ordered(const Operands &O, Predicate P) {
  bool Greater = P == Predicate::ICMP_SGT || P == Predicate::ICMP_SGE ||
                 P == Predicate::ICMP_UGT || P == Predicate::ICMP_UGE;
  bool Strict = P == Predicate::ICMP_SGT || P == Predicate::ICMP_SLT ||
                P == Predicate::ICMP_UGT || P == Predicate::ICMP_ULT;
  return Greater ? Ordered{O.Right, O.Left, Strict}
                 : Ordered{O.Left, O.Right, Strict};
}

/// Large - Small - Strict >= 0.
bool addOrder(const Ordered &O, Guards &G) {
  std::optional<Polynomial> Difference = subtract(O.Large, O.Small);
  if (Difference && O.Strict)
    Difference = add(*Difference, constantPolynomial(-1));
  if (Difference)
    G.Constraints.push_back({*Difference, false});
  return Difference.has_value();
}

bool addSigned(const Ordered &O, uint8_t Bits, const Footprint &F, Guards &G) {
  if (!addOrder(O, G))
    return false;
  addAssumption(G.Assumptions, {O.Small, Bits, true}, F);
  addAssumption(G.Assumptions, {O.Large, Bits, true}, F);
  return true;
}

/// Whether P differs between the threads, blocks or iterations of a launch.
bool varies(const Polynomial &P, const Footprint &F) {
  return mentions(P, F,
                  1u << static_cast<unsigned>(SymbolKind::ThreadIdx) |
                      1u << static_cast<unsigned>(SymbolKind::BlockIdx) |
                      1u << static_cast<unsigned>(SymbolKind::Counter));
}

/// See Note [Guards]. The larger side must be non-negative at launch: it is
/// assumed so when it is one number for the whole launch and can be.
bool addUnsigned(const Ordered &O, uint8_t Bits, const Footprint &F,
                 Guards &G) {
  Range Large = rangeOf(O.Large, F);
  if (!provablyNonNegative(O.Large, F) &&
      (varies(O.Large, F) || (Large.Known && Large.High < 0)))
    return false;
  if (!addOrder(O, G))
    return false;
  if (provablyNonNegative(O.Small, F)) {
    addAssumption(G.Assumptions, {O.Small, Bits, false}, F);
    addAssumption(G.Assumptions, {O.Large, Bits, false}, F);
    return true;
  }
  G.Constraints.push_back({O.Small, false});
  addAssumption(G.Assumptions, {O.Small, Bits, true}, F);
  addAssumption(G.Assumptions, {O.Large, static_cast<uint8_t>(Bits - 1), false},
                F);
  return true;
}

bool addEquality(const Operands &O, const Footprint &F, Guards &G) {
  std::optional<Polynomial> Difference = subtract(O.Left, O.Right);
  if (!Difference)
    return false;
  G.Constraints.push_back({*Difference, true});
  addAssumption(G.Assumptions, {*Difference, O.Bits, true}, F);
  return true;
}

/// "Not equal" is a constraint only when the sign of the difference is known,
/// as in threadIdx.x != 0. A number of the launch that is compared with zero,
/// the way a loop with an unsigned counter is entered, is assumed positive.
bool addInequality(const Operands &O, const Footprint &F, Guards &G) {
  for (auto [Small, Large] :
       {std::pair(&O.Right, &O.Left), std::pair(&O.Left, &O.Right)}) {
    std::optional<Polynomial> Difference = subtract(*Large, *Small);
    if (!Difference || !provablyNonNegative(*Difference, F))
      continue;
    addAssumption(G.Assumptions, {*Difference, O.Bits, true}, F);
    return addOrder({*Small, *Large, true}, G);
  }
  if (!O.Right.Terms.empty() || varies(O.Left, F))
    return false;
  addAssumption(G.Assumptions, {O.Left, O.Bits, false}, F);
  return addOrder({O.Right, O.Left, true}, G);
}

Rejection guardRejection(const Instruction *Branch) {
  Rejection R{ReasonKind::GuardNotPolynomial, ""};
  if (const DebugLoc &Where = Branch->getDebugLoc())
    R.Detail = "line " + std::to_string(Where.getLine());
  return R;
}

} // namespace

Guards GuardFinder::find(const BasicBlock *Block) {
  Guards G;
  std::vector<std::pair<const BasicBlock *, const BasicBlock *>> Edges;
  while (const DomTreeNode *Above = DT.getNode(Block)->getIDom()) {
    const BasicBlock *From = Above->getBlock();
    const Loop *Left = nullptr;
    for (const Loop *L = LI.getLoopFor(From); L && !L->contains(Block);
         L = L->getParentLoop())
      Left = L;
    if (Left)
      From = Left->getHeader();
    bool Always = alwaysReaches(From, Block, Left != nullptr);
    bool OneEdge = !Left && Block->getSinglePredecessor() == From;
    if (!Always && OneEdge)
      Edges.emplace_back(From, Block);
    else if (!Always && !G.Inexact)
      G.Inexact = Rejection{ReasonKind::GuardAlternatives, ""};
    Block = From;
  }
  for (auto It = Edges.rbegin(); It != Edges.rend(); ++It)
    addEdge(It->first, It->second, G);
  return G;
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
    if (succ_empty(Block))
      return false;
    for (const BasicBlock *Next : successors(Block)) {
      if (Next == To || (Next == From && AroundLoop))
        continue;
      if (DT.dominates(Next, From))
        return false;
      if (Seen.insert(Next).second)
        Work.push_back(Next);
    }
  }
  return true;
}

/// Adds the condition under which From's branch goes to To.
void GuardFinder::addEdge(const BasicBlock *From, const BasicBlock *To,
                          Guards &G) {
  const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  bool Conditional = Branch && Branch->isConditional() &&
                     Branch->getSuccessor(0) != Branch->getSuccessor(1);
  if (Conditional &&
      addCondition(Branch->getCondition(), Branch->getSuccessor(0) == To,
                   LI.getLoopFor(From), G))
    return;
  if (!G.Inexact)
    G.Inexact = guardRejection(From->getTerminator());
}

/// Adds what follows from Condition being Holds. Returns whether that is all.
bool GuardFinder::addCondition(const Value *Condition, bool Holds,
                               const Loop *Scope, Guards &G) {
  const Value *A = nullptr;
  const Value *B = nullptr;
  if (match(Condition, m_Not(m_Value(A))))
    return addCondition(A, !Holds, Scope, G);
  if (const auto *Constant = dyn_cast<ConstantInt>(Condition)) {
    if (Constant->isOne() != Holds)
      G.Constraints.push_back({constantPolynomial(-1), false});
    return true;
  }
  bool Both = Holds ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
                    : match(Condition, m_LogicalOr(m_Value(A), m_Value(B)));
  if (!Both)
    return addComparison(Condition, Holds, Scope, G);
  bool First = addCondition(A, Holds, Scope, G);
  return addCondition(B, Holds, Scope, G) && First;
}

bool GuardFinder::addComparison(const Value *Condition, bool Holds,
                                const Loop *Scope, Guards &G) {
  const auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy() ||
      Compare->getOperand(0)->getType()->getIntegerBitWidth() > 64 ||
      Compare->getOperand(0)->getType()->getIntegerBitWidth() < 2)
    return false;
  Translation Sides[2];
  for (unsigned I = 0; I < 2; ++I) {
    Sides[I] = Scev.translate(SE.getSCEVAtScope(Compare->getOperand(I), Scope));
    if (!Sides[I].Value)
      return false;
  }
  Predicate P =
      Holds ? Compare->getPredicate() : Compare->getInversePredicate();
  Operands O{*Sides[0].Value, *Sides[1].Value,
             static_cast<uint8_t>(
                 Compare->getOperand(0)->getType()->getIntegerBitWidth())};
  Guards Added;
  bool Done = P == Predicate::ICMP_EQ   ? addEquality(O, F, Added)
              : P == Predicate::ICMP_NE ? addInequality(O, F, Added)
              : CmpInst::isSigned(P)
                  ? addSigned(ordered(O, P), O.Bits, F, Added)
                  : addUnsigned(ordered(O, P), O.Bits, F, Added);
  if (!Done)
    return false;
  for (const Translation &Side : Sides)
    for (const Assumption &A : Side.Assumptions)
      addAssumption(G.Assumptions, A, F);
  for (const Assumption &A : Added.Assumptions)
    addAssumption(G.Assumptions, A, F);
  for (Constraint &C : Added.Constraints)
    G.Constraints.push_back(std::move(C));
  return true;
}

} // namespace blockmaestro
