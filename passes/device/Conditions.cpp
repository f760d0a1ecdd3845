// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Conditions.h"

#include "KernelAnalysis.h"
#include "Polynomials.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include <set>
#include <vector>

using namespace llvm;
using namespace llvm::PatternMatch;

// Note [Comparisons]
// A comparison is made on w bits. Signed, it is the comparison of the integers
// P when both fit w bits signed. Unsigned, it is that of the integers when both
// are known to be in 0 .. 2^w-1. Where the larger side is one number of the
// launch, it is assumed to be in 0 .. 2^(w-1)-1, and "a < b" is 0 <= P(a) <
// P(b) when P(a) fits w bits signed: a negative P(a) is above P(b) as unsigned
// number. Otherwise both are assumed to fit w bits signed, and the four
// combinations of signs are cases. Equality is P(a) - P(b) = 0 when the
// difference fits w bits signed; its opposite has two cases.
// Two pointers into one object compare as their offsets do.
// Every value and every counter in an assumption of a comparison is in its
// constraints as well, or the comparison is given up: so whoever drops the
// constraints on a value may drop the assumptions about it. A constraint
// without the value must not rest on them: of "n <= v" with an assumption about
// v, 0 <= n is left out.

namespace blockmaestro {

namespace {

using Predicate = CmpInst::Predicate;

/// Of more alternatives it is not asked whether they are one.
constexpr size_t MaxMerged = 8;

/// Small < Large, or Small <= Large.
struct Ordered {
  const Polynomial &Small;
  const Polynomial &Large;
  bool Strict = false;
};

Ordered ordered(const Polynomial &Left, const Polynomial &Right, Predicate P) {
  bool Greater = P == Predicate::ICMP_SGT || P == Predicate::ICMP_SGE ||
                 P == Predicate::ICMP_UGT || P == Predicate::ICMP_UGE;
  bool Strict = P == Predicate::ICMP_SGT || P == Predicate::ICMP_SLT ||
                P == Predicate::ICMP_UGT || P == Predicate::ICMP_ULT;
  return Greater ? Ordered{Right, Left, Strict} : Ordered{Left, Right, Strict};
}

/// Large - Small - Strict >= 0.
bool addOrder(const Ordered &O, Conjunction &To) {
  const CheckedPolynomial Difference = O.Large - O.Small - O.Strict;
  if (Difference)
    addConstraint(To, {*Difference, false});
  return bool(Difference);
}

/// -P - 1 >= 0.
bool addNegative(const Polynomial &P, Conjunction &To) {
  return addOrder({P, {}, true}, To);
}

void assume(Condition &To, const Polynomial &P, unsigned Bits, bool Signed,
            const Footprint &F) {
  addFact(To.Assumptions, {P, static_cast<uint8_t>(Bits), Signed}, F);
}

bool addSigned(const Ordered &O, unsigned Bits, const Footprint &F,
               Condition &To) {
  assume(To, O.Small, Bits, true, F);
  assume(To, O.Large, Bits, true, F);
  To.Any = {{}};
  return addOrder(O, To.Any[0]);
}

/// Whether it is known, or stays an assumption whatever is dropped, that P fits
/// so many bits unsigned.
bool isSureOf(const Polynomial &P, unsigned Bits, const Footprint &F) {
  constexpr unsigned Dropped =
      kindBit(SymbolKind::Value) | kindBit(SymbolKind::Counter);
  return !mentions(P, F, Dropped) ||
         (provable({P, static_cast<uint8_t>(Bits), false}, F) &&
          !hasAssumedRange(P, F));
}

/// See Note [Comparisons].
bool addUnsigned(const Ordered &O, unsigned Bits, const Footprint &F,
                 Condition &To) {
  Range Large = rangeOf(O.Large, F);
  bool SmallPositive = provablyNonNegative(O.Small, F);
  bool LargePositive = provablyNonNegative(O.Large, F);
  bool OneNumber =
      !mentions(O.Large, F, AtPoints) && !(Large.Known && Large.High < 0);
  To.Pruned |= (SmallPositive && hasAssumedRange(O.Small, F)) ||
               (LargePositive && hasAssumedRange(O.Large, F));
  To.Any = {{}};
  if (SmallPositive && (LargePositive || OneNumber)) {
    assume(To, O.Small, Bits, false, F);
    assume(To, O.Large, Bits, false, F);
    return addOrder(O, To.Any[0]);
  }
  assume(To, O.Small, Bits, true, F);
  if (LargePositive || OneNumber) {
    assume(To, O.Large, Bits - 1, false, F);
    if (isSureOf(O.Large, Bits - 1, F))
      addConstraint(To.Any[0], {O.Small, false});
    else
      To.Inexact = {ReasonKind::GuardNotPolynomial, ""};
    return addOrder(O, To.Any[0]);
  }
  assume(To, O.Large, Bits, true, F);
  Conjunction BothPositive, BothNegative, Apart;
  addConstraint(BothPositive, {O.Small, false});
  addConstraint(Apart, {O.Small, false});
  bool Fits = addOrder(O, BothPositive) && addNegative(O.Large, BothNegative) &&
              addOrder(O, BothNegative) && addNegative(O.Large, Apart);
  addConstraint(BothPositive, {O.Large, false});
  To.Any = {BothPositive, Apart};
  if (!SmallPositive) {
    Fits &= addNegative(O.Small, BothNegative);
    To.Any.push_back(BothNegative);
  }
  return Fits;
}

bool addEquality(const Polynomial &Left, const Polynomial &Right, unsigned Bits,
                 const Footprint &F, Condition &To) {
  const CheckedPolynomial Difference = Left - Right;
  if (!Difference)
    return false;
  assume(To, *Difference, Bits, true, F);
  To.Any = {{}};
  addConstraint(To.Any[0], {*Difference, true});
  return true;
}

/// One case when the sign of the difference is known, as in threadIdx.x != 0.
bool addInequality(const Polynomial &Left, const Polynomial &Right,
                   unsigned Bits, const Footprint &F, Condition &To) {
  const CheckedPolynomial Above = Left - Right;
  const CheckedPolynomial Below = Right - Left;
  if (!Above || !Below || mentions(*Above, F, kindBit(SymbolKind::Value)))
    return false;
  assume(To, *Above, Bits, true, F);
  To.Any.clear();
  for (const auto &[Difference, Opposite] :
       {std::pair(&*Above, &*Below), std::pair(&*Below, &*Above)}) {
    if (provablyNonNegative(*Opposite, F))
      continue;
    Conjunction All;
    if (!addOrder({Polynomial(), *Difference, true}, All))
      return false;
    To.Any.push_back(std::move(All));
  }
  To.Pruned |= To.Any.empty();
  return true;
}

bool isComparable(const Type *T) {
  return T->isPointerTy() || (T->isIntegerTy() && T->getIntegerBitWidth() > 1 &&
                              T->getIntegerBitWidth() <= 64);
}

} // namespace

/// What hangs on its own answer is asked again: it may be known better then.
Condition Conditions::translate(const Value *V, bool Holds, const Loop *Scope) {
  const Question Asked{V, Holds, Scope};
  if (auto Known = Memo.find(Asked); Known != Memo.end())
    return Known->second;
  if (Nested >= MaxNested || !K.Effort.spend())
    return unknownCondition({ReasonKind::KernelTooLarge, ""});
  const unsigned Before = K.Scev.circles();
  ++Nested;
  Condition Result = visit(V, Holds, Scope);
  --Nested;
  if (!K.Effort.spend(sizeOf(Result)) ||
      Result.Assumptions.size() > MaxAssumptions)
    Result = unknownCondition({ReasonKind::KernelTooLarge, ""});
  if (K.Scev.circles() == Before)
    Memo.emplace(Asked, Result);
  return Result;
}

Condition Conditions::visit(const Value *V, bool Holds, const Loop *Scope) {
  const Value *A = nullptr;
  const Value *B = nullptr;
  if (match(V, m_Not(m_Value(A))))
    return translate(A, !Holds, Scope);
  if (const auto *Constant = dyn_cast<ConstantInt>(V)) {
    Condition Result;
    if (Constant->isOne() != Holds)
      Result.Any.clear();
    return Result;
  }
  if (const auto *Frozen = dyn_cast<FreezeInst>(V))
    return translate(Frozen->getOperand(0), Holds, Scope);
  bool And = match(V, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (And || match(V, m_LogicalOr(m_Value(A), m_Value(B)))) {
    Condition First = translate(A, Holds, Scope);
    Condition Second = translate(B, Holds, Scope);
    return And == Holds ? both(std::move(First), std::move(Second), K.F)
                        : either(std::move(First), std::move(Second), K.F);
  }
  if (const auto *Compare = dyn_cast<ICmpInst>(V))
    return comparison(*Compare, Holds, Scope);
  if (const auto *Choice = dyn_cast<SelectInst>(V))
    return chosen(*Choice, Holds, Scope);
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return joined(*Phi, Holds, Scope);
  return unknownCondition({ReasonKind::GuardNotPolynomial, ""});
}

/// Each side of Choice under its condition.
Condition Conditions::chosen(const SelectInst &Choice, bool Holds,
                             const Loop *Scope) {
  Condition Result;
  Result.Any.clear();
  for (bool Side : {true, false}) {
    const Value *V = Side ? Choice.getTrueValue() : Choice.getFalseValue();
    Result = either(std::move(Result),
                    both(translate(Choice.getCondition(), Side, Scope),
                         translate(V, Holds, Scope), K.F),
                    K.F);
  }
  return Result;
}

/// What each way to Phi brings, while its loop is running.
Condition Conditions::joined(const PHINode &Phi, bool Holds,
                             const Loop *Scope) {
  const BasicBlock *Block = Phi.getParent();
  const BasicBlock *Top = K.Guards.parting(Phi);
  const Loop *Own = K.LI.getLoopFor(Block);
  if (!Top || (Own && !Own->contains(Scope)))
    return unknownCondition({ReasonKind::GuardNotPolynomial, ""});
  Condition Result;
  Result.Any.clear();
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I)
    Result =
        either(std::move(Result),
               both(K.Guards.along(Top, Phi.getIncomingBlock(I), Block, Own),
                    translate(Phi.getIncomingValue(I), Holds, Own), K.F),
               K.F);
  return Result;
}

Condition Conditions::equality(const Value *Left, const Value *Right,
                               bool Holds, const Loop *Scope) {
  return compare(K.Scev.translate(Left, Scope), K.Scev.translate(Right, Scope),
                 Holds ? Predicate::ICMP_EQ : Predicate::ICMP_NE,
                 Left->getType()->getIntegerBitWidth());
}

/// The integers that Compare compares; of pointers into one object, their
/// offsets.
bool Conditions::operands(const CmpInst &Compare, const Loop *Scope,
                          const SCEV *(&Sides)[2]) {
  for (unsigned I = 0; I < 2; ++I)
    Sides[I] =
        K.SE.getSCEVAtScope(Compare.getOperand(I), const_cast<Loop *>(Scope));
  if (Compare.getOperand(0)->getType()->isPointerTy()) {
    const SCEV *Base = K.SE.getPointerBase(Sides[0]);
    if (Base != K.SE.getPointerBase(Sides[1]) || !isa<SCEVUnknown>(Base))
      return false;
    for (const SCEV *&Side : Sides)
      Side = K.SE.removePointerBase(Side);
    if (isa<SCEVCouldNotCompute>(Sides[0]) ||
        isa<SCEVCouldNotCompute>(Sides[1]))
      return false;
  }
  return true;
}

/// Whether "x P Side" says that x P each operand of Side.
static bool splits(const SCEV *Side, Predicate P) {
  switch (Side->getSCEVType()) {
  case scUMinExpr:
    return P == Predicate::ICMP_ULT || P == Predicate::ICMP_ULE;
  case scSMinExpr:
    return P == Predicate::ICMP_SLT || P == Predicate::ICMP_SLE;
  case scUMaxExpr:
    return P == Predicate::ICMP_UGT || P == Predicate::ICMP_UGE;
  case scSMaxExpr:
    return P == Predicate::ICMP_SGT || P == Predicate::ICMP_SGE;
  default:
    return false;
  }
}

/// Where Side is a minimum or maximum cut to its low bits that all of it fits,
/// as LLVM makes of "i < min(n, 5)": compares on all bits.
void Conditions::uncut(const SCEV *&Side, const SCEV *&Other, Predicate P,
                       unsigned &Bits) {
  const auto *Cut = dyn_cast<SCEVTruncateExpr>(Side);
  if (!Cut || !isa<SCEVMinMaxExpr>(Cut->getOperand()))
    return;
  bool Signed = CmpInst::isSigned(P);
  const SCEV *Whole = Cut->getOperand();
  const unsigned WholeBits = Whole->getType()->getIntegerBitWidth();
  if (WholeBits > 64 ||
      K.SE.getUnsignedRange(Whole).getActiveBits() > Bits - Signed)
    return;
  Side = Whole;
  Other = Signed ? K.SE.getSignExtendExpr(Other, Whole->getType())
                 : K.SE.getZeroExtendExpr(Other, Whole->getType());
  Bits = WholeBits;
}

/// Left P Right; of x < min(a, b), x < a and x < b.
Condition Conditions::relation(const SCEV *Left, const SCEV *Right, unsigned P,
                               unsigned Bits, const Loop *Scope) {
  Predicate Which = static_cast<Predicate>(P);
  uncut(Left, Right, Which, Bits);
  uncut(Right, Left, Which, Bits);
  if (!splits(Right, Which) &&
      splits(Left, CmpInst::getSwappedPredicate(Which))) {
    std::swap(Left, Right);
    Which = CmpInst::getSwappedPredicate(Which);
  }
  if (!splits(Right, Which))
    return compare(K.Scev.translate(Left, Scope),
                   K.Scev.translate(Right, Scope), Which, Bits);
  Condition All;
  for (const SCEV *Each : cast<SCEVNAryExpr>(Right)->operands())
    All = both(std::move(All), relation(Left, Each, Which, Bits, Scope), K.F);
  return All;
}

Condition Conditions::comparison(const CmpInst &Compare, bool Holds,
                                 const Loop *Scope) {
  const Rejection Unknown{ReasonKind::GuardNotPolynomial, ""};
  const Value *A = nullptr;
  const Value *B = nullptr;
  if (CmpInst::isEquality(Compare.getPredicate()) &&
      match(&Compare, m_ICmp(m_Or(m_Value(A), m_Value(B)), m_Zero())))
    return neitherBit(A, B, Compare.getOperand(1),
                      (Compare.getPredicate() == Predicate::ICMP_EQ) == Holds,
                      Scope);
  Type *T = Compare.getOperand(0)->getType();
  const SCEV *Sides[2];
  if (!isComparable(T))
    return unknownCondition(Unknown);
  if (!operands(Compare, Scope, Sides))
    return ofAddresses(Compare, Holds, Scope);
  if (T->isIntegerTy())
    if (std::optional<Condition> Result = ofBit(Compare, Holds, Scope))
      return *std::move(Result);
  Predicate P = Holds ? Compare.getPredicate() : Compare.getInversePredicate();
  if (T->isPointerTy())
    P = ICmpInst::getSignedPredicate(P);
  if (P == Predicate::ICMP_NE && testsLowBits(Compare, Scope))
    P = Predicate::ICMP_SGT;
  return relation(Sides[0], Sides[1], P,
                  T->isPointerTy() ? 64 : T->getIntegerBitWidth(), Scope);
}

/// The values and counters in the parts: what later steps may drop.
template <typename T>
static std::set<uint16_t> rangesIn(const std::vector<T> &Parts,
                                   const Footprint &F) {
  std::set<uint16_t> Found;
  for (const T &Part : Parts)
    Found.merge(
        symbolsIn(Part.Value, F,
                  kindBit(SymbolKind::Value) | kindBit(SymbolKind::Counter)));
  return Found;
}

/// Whether every value and counter in what One assumes is in Where or in each
/// alternative of One.
bool Conditions::isComplete(const Condition &One,
                            const Conjunction &Where) const {
  const std::set<uint16_t> Assumed = rangesIn(One.Assumptions, K.F);
  if (Assumed.empty())
    return true;
  const std::set<uint16_t> Outside = rangesIn(Where, K.F);
  std::vector<std::set<uint16_t>> Inside;
  for (const Conjunction &All : One.Any)
    Inside.push_back(rangesIn(All, K.F));
  return all_of(Assumed, [&](uint16_t S) {
    return Outside.count(S) ||
           (!Inside.empty() && all_of(Inside, [&](const auto &Alternative) {
             return Alternative.count(S) > 0;
           }));
  });
}

/// One alternative instead of several, where that can be said: x < min(a, b) is
/// x < a and x < b. What only the merged one says rests on all assumptions, so
/// it has to go where one of them does: see Note [Comparisons].
void Conditions::merge(Condition &C) const {
  if (C.Any.size() < 2 || C.Any.size() > MaxMerged)
    return;
  const std::optional<Conjunction> All = K.Simplifier.merged(C.Any, K.F);
  if (!All)
    return;
  const std::set<uint16_t> Assumed = rangesIn(C.Assumptions, K.F);
  const Conjunction Before = sharedBy(C.Any);
  auto Remains = [&](const Constraint &Said) {
    return llvm::includes(rangesIn(Conjunction{Said}, K.F), Assumed) ||
           any_of(Before,
                  [&](const Constraint &Each) { return equal(Each, Said); });
  };
  Condition One = C;
  One.Any = {*All};
  if (isComplete(One, {}) && all_of(*All, Remains))
    C.Any = std::move(One.Any);
}

/// "(A | B) == 0" is A == 0 and B == 0.
Condition Conditions::neitherBit(const Value *A, const Value *B,
                                 const Value *Zero, bool Holds,
                                 const Loop *Scope) {
  Condition First = equality(A, Zero, Holds, Scope);
  Condition Second = equality(B, Zero, Holds, Scope);
  return Holds ? both(std::move(First), std::move(Second), K.F)
               : either(std::move(First), std::move(Second), K.F);
}

/// Every case of the one side with every case of the other.
Condition Conditions::compare(const Translation &Left, const Translation &Right,
                              unsigned P, unsigned Bits) {
  const Rejection Unknown{ReasonKind::GuardNotPolynomial, ""};
  if (Left.Cases.size() * Right.Cases.size() - 1 >= MaxAlternatives)
    return unknownCondition(Unknown);
  Condition Result;
  Result.Any.clear();
  Result.Inexact = Left.Inexact ? Left.Inexact : Right.Inexact;
  Result.Pruned = Left.Pruned || Right.Pruned;
  addEverywhere(Result.Assumptions, Left.Assumptions, K.F);
  addEverywhere(Result.Assumptions, Right.Assumptions, K.F);
  for (const Case &X : Left.Cases)
    for (const Case &Y : Right.Cases) {
      Condition One;
      Predicate Which = static_cast<Predicate>(P);
      bool Done =
          Which == Predicate::ICMP_EQ
              ? addEquality(X.Value, Y.Value, Bits, K.F, One)
          : Which == Predicate::ICMP_NE
              ? addInequality(X.Value, Y.Value, Bits, K.F, One)
          : CmpInst::isSigned(Which)
              ? addSigned(ordered(X.Value, Y.Value, Which), Bits, K.F, One)
              : addUnsigned(ordered(X.Value, Y.Value, Which), Bits, K.F, One);
      addEverywhere(One.Assumptions, X.Assumptions, K.F);
      addEverywhere(One.Assumptions, Y.Assumptions, K.F);
      Condition Where;
      Where.Any = {X.Where};
      for (const Constraint &C : Y.Where)
        addConstraint(Where.Any[0], C);
      if (!Done || !isComplete(One, Where.Any[0]))
        One = unknownCondition(Unknown);
      Result = either(std::move(Result),
                      both(std::move(Where), std::move(One), K.F), K.F);
    }
  merge(Result);
  return Result;
}

} // namespace blockmaestro
