// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScevPolynomials.h"

#include "KernelAnalysis.h"
#include "KernelModel.h"
#include "Polynomials.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <algorithm>

using namespace llvm;

// Note [Wrap]
// The program computes modulo 2^w, the footprint over the integers. For an
// expression e of w bits let P(e) be the polynomial built from the same sums
// and products, where every leaf (an index, an argument, a constant) is taken
// as its signed integer. Taking residues is a ring homomorphism, so the bits
// of e are always P(e) modulo 2^w, however often the computation wraps on the
// way. Truncation keeps that true for the smaller w and needs nothing.
// Only where the integer itself matters, that is where the width grows, in a
// division, a shift to the right, a comparison or a choice, P(e) has to be
// what the program has: zext(e) is P(e) if and only if 0 <= P(e) < 2^w, sext(e)
// if and only if P(e) fits w bits signed. That is the Fact recorded
// there, and nothing else is. A value that the program means as unsigned and
// that has its top bit set makes the assumption fail at launch; it never makes
// the polynomial wrong. An addition of 0xffffffff in 32 bits is the addition of
// -1 for the same reason. A recurrence {a,+,b} in iteration k is a + b*k modulo
// 2^w. A remainder by 2^k with k <= w, a mask of the low k bits, or an
// extension from fewer than 32 bits is computed from the residue, so it is P(e)
// - 2^k * floor(P(e) / 2^k) whatever P(e) is, and assumes nothing. Signed
// division rounds to zero: for numerators below zero it is minus the quotient
// of the negated numerator, a case of its own unless the numerator cannot be
// negative. A denominator is assumed to be positive: what is known of a
// quotient holds for no other, even where the quotient itself is not needed any
// more.

namespace blockmaestro {

namespace {

unsigned bitsOf(const SCEV *S) {
  return S->getType()->isIntegerTy() ? S->getType()->getIntegerBitWidth() : 64;
}

Polynomial powerOfTwo(unsigned Bits) {
  return constantPolynomial(int64_t(1) << Bits);
}

/// Whether T rests on more than is followed.
bool isTooLarge(const Translation &T) {
  return T.Assumptions.size() > MaxAssumptions ||
         any_of(T.Cases, [](const Case &C) {
           return C.Assumptions.size() > MaxAssumptions;
         });
}

} // namespace

Translation ScevPolynomials::translate(const Value *V, const Loop *Scope) {
  return translate(K.SE.getSCEVAtScope(const_cast<Value *>(V), Scope), Scope);
}

/// The loop in which S is to be asked for: an unknown of a loop around Scope is
/// the same in all of that loop, so that it stays one symbol.
const Loop *ScevPolynomials::ownScope(const SCEV *S, const Loop *Scope) const {
  const auto *Unknown = dyn_cast<SCEVUnknown>(S);
  const auto *I =
      Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
  const Loop *Own = I ? K.LI.getLoopFor(I->getParent()) : Scope;
  return !Own || Own->contains(Scope) ? Own : Scope;
}

Translation ScevPolynomials::translate(const SCEV *S, const Loop *Scope) {
  Scope = ownScope(S, Scope);
  auto Found = Memo.find({S, Scope});
  if (Found != Memo.end())
    return Found->second;
  if (Open.size() >= MaxNested || !K.Effort.spend())
    return notKnown(ReasonKind::KernelTooLarge);
  if (!Open.insert({S, Scope}).second) {
    ++Circles;
    return notKnown(ReasonKind::IndexNotPolynomial);
  }
  Translation Result = visit(S, Scope);
  Open.erase({S, Scope});
  if (!K.Effort.spend(sizeOf(Result)) || isTooLarge(Result))
    Result = notKnown(ReasonKind::KernelTooLarge);
  return Memo[{S, Scope}] = std::move(Result);
}

/// Whether S, or what it extends, has more bits than an assumption can have and
/// is computed from its integer rather than its residue.
static bool isTooWide(const SCEV *S) {
  if (const auto *Cast = dyn_cast<SCEVIntegralCastExpr>(S))
    return !isa<SCEVTruncateExpr>(S) && bitsOf(Cast->getOperand()) > 64;
  return bitsOf(S) > 64 && (isa<SCEVUDivExpr>(S) || isa<SCEVMinMaxExpr>(S) ||
                            isa<SCEVSequentialMinMaxExpr>(S));
}

Translation ScevPolynomials::visit(const SCEV *S, const Loop *Scope) {
  if (isTooWide(S))
    return notKnown(ReasonKind::IndexTooLarge);
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &Value = cast<SCEVConstant>(S)->getAPInt();
    if (Value.getSignificantBits() <= 64)
      return oneCase(constantPolynomial(Value.getSExtValue()));
    return notKnown(ReasonKind::IndexTooLarge);
  }
  case scTruncate:
    return translate(cast<SCEVTruncateExpr>(S)->getOperand(), Scope);
  case scZeroExtend:
  case scSignExtend: {
    const SCEV *Inner = cast<SCEVCastExpr>(S)->getOperand();
    if (Translation Bits =
            extendedBits(Inner, S->getSCEVType() == scSignExtend, Scope);
        !Bits.Cases.empty())
      return Bits;
    return extended(translate(Inner, Scope), bitsOf(Inner),
                    S->getSCEVType() == scSignExtend);
  }
  case scPtrToInt:
    return bitsOf(S) == 64 ? address(cast<SCEVCastExpr>(S)->getOperand(), Scope)
                           : notKnown(ReasonKind::IndexNotPolynomial);
  case scAddExpr:
  case scMulExpr:
    return visitOperands(S, Scope);
  case scAddRecExpr:
    return visitRecurrence(S, Scope);
  case scUnknown:
    return visitUnknown(cast<SCEVUnknown>(S)->getValue(), Scope);
  case scUDivExpr: {
    const auto *Division = cast<SCEVUDivExpr>(S);
    return unsignedQuotient(translate(Division->getLHS(), Scope),
                            translate(Division->getRHS(), Scope), bitsOf(S));
  }
  case scUMaxExpr:
  case scSMaxExpr:
  case scUMinExpr:
  case scSMinExpr:
  case scSequentialUMinExpr:
    return visitMinMax(S, Scope);
  default:
    return notKnown(ReasonKind::IndexNotPolynomial);
  }
}

/// Addresses are below 2^63, which is assumed: then the numbers of pointers are
/// in their order.
Translation ScevPolynomials::address(const SCEV *Pointer, const Loop *Scope) {
  if (Pointer->isZero())
    return oneCase({});
  const auto *Base = dyn_cast<SCEVUnknown>(K.SE.getPointerBase(Pointer));
  if (!Base)
    return notKnown(ReasonKind::IndexNotPolynomial);
  const std::optional<Symbol> S = launchAddress(Base->getValue());
  if (!S && !isa<ConstantPointerNull>(Base->getValue()))
    return notKnown(ReasonKind::IndexNotPolynomial);
  const SCEV *Offset = K.SE.removePointerBase(Pointer);
  if (isa<SCEVCouldNotCompute>(Offset))
    return notKnown(ReasonKind::IndexNotPolynomial);
  const Translation Start =
      oneCase(S ? K.Symbols.symbol(*S) : constantPolynomial(0));
  return combine(Start, translate(Offset, Scope), K.F,
                 [&](const Polynomial &A, const Polynomial &B, Case &Out) {
                   addFact(Out.Assumptions, {A, 63, false}, K.F);
                   return A + B;
                 });
}

/// See Note [Wrap].
Translation ScevPolynomials::extended(Translation Inner, unsigned Bits,
                                      bool Signed) {
  for (Case &C : Inner.Cases) {
    Fact Fits{C.Value, static_cast<uint8_t>(Bits), Signed};
    if (provable(Fits, K.F))
      continue;
    if (Bits >= 32 || isOfSizes(C.Value, Bits)) {
      addFact(C.Assumptions, Fits, K.F);
      continue;
    }
    int64_t Shift = Signed ? int64_t(1) << (Bits - 1) : 0;
    const CheckedPolynomial Value =
        K.Symbols.remainder(C.Value + Shift, powerOfTwo(Bits), C.Assumptions);
    if (!(Value - Shift).moveTo(C.Value))
      return notKnown(ReasonKind::IndexTooLarge);
  }
  return Inner;
}

Translation ScevPolynomials::visitOperands(const SCEV *S, const Loop *Scope) {
  bool Sum = S->getSCEVType() == scAddExpr;
  Translation Result = oneCase(constantPolynomial(Sum ? 0 : 1));
  for (const SCEV *Operand : S->operands()) {
    Result = combine(Result, translate(Operand, Scope), K.F,
                     [&](const Polynomial &A, const Polynomial &B,
                         const Case & /*Out*/) { return Sum ? A + B : A * B; });
    if (!K.Effort.spend(sizeOf(Result)))
      return notKnown(ReasonKind::KernelTooLarge);
  }
  return Result;
}

/// Each operand is a case, where it is the largest or smallest.
Translation ScevPolynomials::visitMinMax(const SCEV *S, const Loop *Scope) {
  SCEVTypes Type = S->getSCEVType();
  bool Signed = Type == scSMaxExpr || Type == scSMinExpr;
  bool Largest = Type == scSMaxExpr || Type == scUMaxExpr;
  Translation Result;
  for (const SCEV *Operand : S->operands()) {
    Translation Next = translate(Operand, Scope);
    for (const Case &C : Next.Cases)
      addFact(Next.Assumptions,
              {C.Value, static_cast<uint8_t>(bitsOf(S)), Signed}, K.F);
    if (Next.Cases.empty() || Operand == S->operands()[0]) {
      Result = std::move(Next);
      if (Result.Cases.empty())
        return Result;
      continue;
    }
    Translation Both;
    for (bool First : {true, false}) {
      Translation Half =
          combine(Result, Next, K.F,
                  [&](const Polynomial &A, const Polynomial &B,
                      Case &Out) -> CheckedPolynomial {
                    const CheckedPolynomial Room =
                        (First == Largest ? A - B : B - A) - (First ? 0 : 1);
                    if (!Room)
                      return NoPolynomial();
                    if (!provablyNonNegative(Room, K.F) ||
                        mentions(A, K.F, kindBit(SymbolKind::Value)) ||
                        mentions(B, K.F, kindBit(SymbolKind::Value)))
                      addConstraint(Out.Where, {*Room, false});
                    return First ? A : B;
                  });
      if (Half.Cases.empty())
        return Half;
      addCases(Both, Condition(), Half, K.F);
    }
    if (Both.Cases.size() > MaxAlternatives)
      return notKnown(ReasonKind::CasesTooMany);
    Result = std::move(Both);
  }
  return Result;
}

/// c*k*(k-1)/2; without a quotient where c is even.
static CheckedPolynomial
pairs(const Polynomial &Step, const Polynomial &Counter, SymbolTable &Symbols) {
  std::vector<Fact> None;
  const Polynomial Two = constantPolynomial(2);
  const CheckedPolynomial Twice = Counter * Counter - Counter;
  Polynomial Half;
  for (const Monomial &M : Step.Terms)
    if (auto D = divided(M, Two.Terms[0]))
      Half.Terms.push_back(*D);
  if (Half.Terms.size() == Step.Terms.size())
    return Half * Twice;
  return Step * Symbols.quotient(Twice, Two, None);
}

/// {a,+,b,+,c} in iteration k is a + b*k + c*k*(k-1)/2.
Translation ScevPolynomials::visitRecurrence(const SCEV *S, const Loop *Scope) {
  const auto *Recurrence = cast<SCEVAddRecExpr>(S);
  const Loop *L = Recurrence->getLoop();
  if (Recurrence->getNumOperands() > 3)
    return notKnown(ReasonKind::IndexNotPolynomial, "not linear in its loop");
  Polynomial Counter = K.Symbols.counter(K.Loops.number(*L));
  Translation Result = oneCase(constantPolynomial(0));
  for (unsigned I = 0; I < Recurrence->getNumOperands(); ++I)
    Result = combine(
        Result, translate(Recurrence->getOperand(I), Scope), K.F,
        [&](const Polynomial &A, const Polynomial &B, const Case & /*Out*/) {
          return A + (I == 0   ? B
                      : I == 1 ? B * Counter
                               : pairs(B, Counter, K.Symbols));
        });
  if (!L->contains(Scope) && !Result.Inexact)
    Result.Inexact = Rejection{ReasonKind::LoopValueLeft, ""};
  return Result;
}

Translation ScevPolynomials::visitUnknown(const Value *V, const Loop *Scope) {
  if (std::optional<Symbol> S = launchValue(V))
    return oneCase(K.Symbols.symbol(*S));
  if (!V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64)
    return notKnown(ReasonKind::IndexNotPolynomial);
  Translation Result;
  if (const auto *I = dyn_cast<Instruction>(V))
    Result = visitInstruction(*I, Scope);
  return Result.Cases.empty() ? K.Unfollowed.of(V) : Result;
}

/// No cases where I is not of a kind that is followed.
Translation ScevPolynomials::visitInstruction(const Instruction &I,
                                              const Loop *Scope) {
  if (isa<FreezeInst>(I))
    return translate(I.getOperand(0), Scope);
  if (const auto *Binary = dyn_cast<BinaryOperator>(&I))
    if (!I.getType()->isIntegerTy(1))
      return visitBinary(*Binary, Scope);
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return visitPhi(*Phi, Scope);
  Translation Result;
  const auto *Select = dyn_cast<SelectInst>(&I);
  bool Truth = I.getType()->isIntegerTy(1) &&
               (isa<ICmpInst>(I) || Select || isa<BinaryOperator>(I));
  if (!Truth && !Select)
    return Result;
  for (bool Holds : {true, false}) {
    const Value *Of = Truth ? &I : Select->getCondition();
    Translation Arm = Truth
                          ? oneCase(constantPolynomial(Holds))
                          : translate(Select->getOperand(Holds ? 1 : 2), Scope);
    if (Arm.Cases.empty())
      return Arm;
    addCases(Result, K.Tests.translate(Of, Holds, Scope), Arm, K.F);
  }
  return Result.Cases.size() > MaxAlternatives ? Translation() : Result;
}

/// What each way to a phi after a branch brings. Any other phi stays a value.
Translation ScevPolynomials::visitPhi(const PHINode &Phi, const Loop *Scope) {
  const BasicBlock *Top = K.Guards.parting(Phi);
  if (!Top)
    return {};
  Translation Result;
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
    Translation Arm = translate(Phi.getIncomingValue(I), Scope);
    if (Arm.Cases.empty())
      return {};
    addCases(
        Result,
        K.Guards.along(Top, Phi.getIncomingBlock(I), Phi.getParent(), Scope),
        Arm, K.F);
  }
  return Result.Cases.size() > MaxAlternatives ? Translation() : Result;
}

Translation ScevPolynomials::visitBinary(const BinaryOperator &I,
                                         const Loop *Scope) {
  Translation A = translate(I.getOperand(0), Scope);
  Translation B = translate(I.getOperand(1), Scope);
  unsigned Bits = I.getType()->getIntegerBitWidth();
  auto Shifted = [&](bool Left, bool Signed) {
    return combine(A, B, K.F,
                   [&](const Polynomial &X, const Polynomial &Y, Case &Out) {
                     const CheckedPolynomial By = K.Symbols.power(Y);
                     if (Left)
                       return X * By;
                     addFact(Out.Assumptions,
                             {X, static_cast<uint8_t>(Bits), Signed}, K.F);
                     return K.Symbols.quotient(X, By, Out.Assumptions);
                   });
  };
  switch (I.getOpcode()) {
  case Instruction::UDiv:
    return unsignedQuotient(A, B, Bits);
  case Instruction::SDiv:
  case Instruction::SRem:
    return signedDivision(A, B, Bits, I.getOpcode() == Instruction::SRem);
  case Instruction::Shl:
    return Shifted(true, false);
  case Instruction::LShr:
    return Shifted(false, false);
  case Instruction::AShr:
    return Shifted(false, true);
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return bitwise(I, A, B, Bits);
  default:
    return {};
  }
}

/// Where the denominator is not a number of the launch, something between 0 and
/// the numerator.
Translation ScevPolynomials::unsignedQuotient(const Translation &A,
                                              const Translation &B,
                                              unsigned Bits) {
  uint8_t Width = static_cast<uint8_t>(Bits);
  return combine(
      A, B, K.F, [&](const Polynomial &X, const Polynomial &Y, Case &Out) {
        addFact(Out.Assumptions, {X, Width, false}, K.F);
        addFact(Out.Assumptions, {Y, Width, false}, K.F);
        CheckedPolynomial Q = K.Symbols.quotient(X, Y, Out.Assumptions);
        if (!Q)
          Q = K.Unfollowed.make(0, X, {{ReasonKind::IndexDivided, ""}, true});
        return Q;
      });
}

/// Whether P is meant to be negative at some points, as far as can be seen.
static bool isMeantNegative(const Polynomial &P, const Footprint &F) {
  if (provablyNonNegative(P, F) || !mentions(P, F, AtPoints))
    return false;
  return mentions(P, F, kindBit(SymbolKind::Value)) ||
         any_of(P.Terms, [](const Monomial &M) { return M.Coefficient < 0; });
}

/// See Note [Wrap].
Translation ScevPolynomials::signedDivision(const Translation &A,
                                            const Translation &B, unsigned Bits,
                                            bool Remainder) {
  uint8_t Width = static_cast<uint8_t>(Bits);
  uint8_t Magnitude = static_cast<uint8_t>(Bits - 1);
  auto Half = [&](bool Negative) {
    return combine(
        A, B, K.F,
        [&](const Polynomial &X, const Polynomial &Y,
            Case &Out) -> CheckedPolynomial {
          bool Both = isMeantNegative(X, K.F);
          const CheckedPolynomial Size = Negative ? -X : X;
          const CheckedPolynomial Room = Size - Negative;
          if (!Room)
            return NoPolynomial();
          if (Negative || Both)
            addConstraint(Out.Where, {*Room, false});
          if (Negative && !Both)
            addConstraint(Out.Where, {constantPolynomial(-1), false});
          uint8_t Fits = Both ? Width : Magnitude;
          addFact(Out.Assumptions, {X, Fits, Both}, K.F);
          addFact(Out.Assumptions, {Y, Magnitude, false}, K.F);
          const CheckedPolynomial Q =
              Remainder ? K.Symbols.remainder(Size, Y, Out.Assumptions)
                        : K.Symbols.quotient(Size, Y, Out.Assumptions);
          return Negative ? -Q : Q;
        });
  };
  Translation Result = Half(false);
  bool Both = any_of(
      A.Cases, [&](const Case &C) { return isMeantNegative(C.Value, K.F); });
  if (Both)
    addCases(Result, Condition(), Half(true), K.F);
  return Result.Cases.size() > MaxAlternatives ? Translation() : Result;
}

} // namespace blockmaestro
