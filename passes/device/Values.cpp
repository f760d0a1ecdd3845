// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Values.h"

#include "DeepExpressions.h"
#include "KernelAnalysis.h"
#include "Polynomials.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <algorithm>

using namespace llvm;

// Note [Values]
// A value is a symbol of its own for each value of the IR, so that a guard on
// it and an index with it speak of the same number. Its range is what LLVM
// knows. Its integer is the unsigned one where the program only uses it so,
// which Note [Wrap] allows for any leaf.
// Two kinds of loop counters that are no recurrence have a range of their own.
// One that is halved, shifted down or masked from iteration to iteration stays
// between 0 and what it starts with, if that is not negative. One that is
// shifted up or multiplied, and compared with a number of the launch before the
// next iteration, stays below that number, if the loop is entered below it.

namespace blockmaestro {

namespace {

/// Whether every use that cares takes V as an unsigned integer.
bool isUsedAsUnsigned(const Value &V) {
  bool Unsigned = false;
  for (const User *U : V.users()) {
    unsigned Opcode = Operator::getOpcode(U);
    const auto *Compare = dyn_cast<ICmpInst>(U);
    const auto *Choice = dyn_cast<MinMaxIntrinsic>(U);
    if (Opcode == Instruction::SExt || Opcode == Instruction::SDiv ||
        Opcode == Instruction::SRem || Opcode == Instruction::AShr ||
        (Compare && Compare->isSigned()) || (Choice && Choice->isSigned()))
      return false;
    Unsigned |= Opcode == Instruction::ZExt || Opcode == Instruction::UDiv ||
                Opcode == Instruction::URem || Opcode == Instruction::LShr ||
                (Compare && Compare->isUnsigned()) || Choice;
  }
  return Unsigned;
}

Rejection whyNotFollowed(const Value &V) {
  if (isCut(&V))
    return {ReasonKind::KernelTooLarge, ""};
  if (isa<LoadInst>(V) || isa<AtomicRMWInst>(V) || isa<ExtractValueInst>(V))
    return {ReasonKind::IndexLoaded, ""};
  const auto *I = dyn_cast<Instruction>(&V);
  if (I && I->isIntDivRem())
    return {ReasonKind::IndexDivided, ""};
  return {ReasonKind::IndexNotPolynomial, ""};
}

/// What Phi, which heads a loop, is in the next iteration, if that is computed
/// from Phi by one operation; and what it starts with.
const BinaryOperator *nextOf(const PHINode &Phi, const Loop &L,
                             const Value *&Start) {
  if (!L.getLoopPreheader() || !L.getLoopLatch())
    return nullptr;
  Start = Phi.getIncomingValueForBlock(L.getLoopPreheader());
  const auto *Next =
      dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  return Next && Next->getOperand(0) == &Phi ? Next : nullptr;
}

/// The number that Next is compared with, and found to be below, before L goes
/// round; Equal says whether it may be that number.
const Value *boundOf(const BinaryOperator &Next, const Loop &L, bool &Equal,
                     bool &Signed) {
  const auto *Branch = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
  if (!Branch || !Branch->isConditional())
    return nullptr;
  const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Compare)
    return nullptr;
  bool Stays = L.contains(Branch->getSuccessor(0));
  bool Swapped = Compare->getOperand(1) == &Next;
  if (!Swapped && Compare->getOperand(0) != &Next)
    return nullptr;
  CmpInst::Predicate P =
      Swapped ? Compare->getSwappedPredicate() : Compare->getPredicate();
  P = Stays ? P : CmpInst::getInversePredicate(P);
  Equal = P == CmpInst::ICMP_SLE || P == CmpInst::ICMP_ULE;
  Signed = CmpInst::isSigned(P);
  bool Below = Equal || P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_ULT;
  const Value *Bound = Compare->getOperand(Swapped ? 0 : 1);
  return Below && L.isLoopInvariant(Bound) ? Bound : nullptr;
}

} // namespace

CheckedPolynomial Values::make(const CheckedPolynomial &Low,
                               const CheckedPolynomial &High,
                               const ValueFact &Fact) {
  if (!Low || !High)
    return NoPolynomial();
  CheckedPolynomial Value = K.Symbols.value({*Low, *High});
  if (Value)
    Facts.push_back(Fact);
  return Value;
}

Rejection Values::whyOf(const Polynomial &P) const {
  size_t First = Facts.size();
  for (uint16_t Symbol : symbolsIn(P, K.F, kindBit(SymbolKind::Value)))
    First = std::min<size_t>(First, K.F.Symbols[Symbol].Index);
  return First < Facts.size() ? Facts[First].Why : Rejection();
}

/// V before loop L, if it is one polynomial in 0 .. 2^(Bits-1)-1; what that
/// rests on is added to Out.
CheckedPolynomial Values::number(const Value *V, const Loop *L, unsigned Bits,
                                 Case &Out) {
  Translation T = K.Scev.translate(V, L->getParentLoop());
  if (T.Cases.size() != 1 || T.Inexact || !T.Cases[0].Where.empty() ||
      mentions(T.Cases[0].Value, K.F, kindBit(SymbolKind::Value)) ||
      rangeOf(T.Cases[0].Value, K.F).High < 0)
    return NoPolynomial();
  addEverywhere(Out.Assumptions, T.Cases[0].Assumptions, K.F);
  addFact(Out.Assumptions,
          {T.Cases[0].Value, static_cast<uint8_t>(Bits - 1), false}, K.F);
  return T.Cases[0].Value;
}

/// See Note [Values].
bool Values::shrinks(const PHINode &Phi, Case &Out) {
  const Loop *L = K.LI.getLoopFor(Phi.getParent());
  const Value *Start = nullptr;
  const BinaryOperator *Next = nextOf(Phi, *L, Start);
  if (!Next)
    return false;
  unsigned Opcode = Next->getOpcode();
  const auto *By = dyn_cast<ConstantInt>(Next->getOperand(1));
  bool Falls = Opcode == Instruction::LShr || Opcode == Instruction::AShr ||
               Opcode == Instruction::UDiv || Opcode == Instruction::And ||
               ((Opcode == Instruction::SDiv || Opcode == Instruction::SRem) &&
                By && By->getValue().isStrictlyPositive());
  if (!Falls)
    return false;
  const CheckedPolynomial High =
      number(Start, L, Phi.getType()->getIntegerBitWidth(), Out);
  return make(0, High, {whyNotFollowed(Phi), true}).moveTo(Out.Value);
}

/// See Note [Values].
bool Values::growsToBound(const PHINode &Phi, Case &Out) {
  const Loop *L = K.LI.getLoopFor(Phi.getParent());
  const Value *Start = nullptr;
  const BinaryOperator *Next = nextOf(Phi, *L, Start);
  bool Equal = false, Signed = false;
  const Value *Bound = Next ? boundOf(*Next, *L, Equal, Signed) : nullptr;
  if (!Bound || (Signed && !Next->hasNoSignedWrap()) ||
      (Next->getOpcode() != Instruction::Shl &&
       Next->getOpcode() != Instruction::Mul))
    return false;
  const auto *By = dyn_cast<ConstantInt>(Next->getOperand(1));
  unsigned Bits = Phi.getType()->getIntegerBitWidth();
  if (!By || !By->getValue().isStrictlyPositive())
    return false;
  const CheckedPolynomial Low = number(Start, L, Bits, Out);
  const CheckedPolynomial Last = number(Bound, L, Bits, Out) - (Equal ? 0 : 1);
  const CheckedPolynomial Room = Last - Low;
  if (!Room)
    return false;
  for (const Conjunction &All : K.Guards.find(L->getHeader()).Any)
    if (!provablyNonNegative(Room, K.F) &&
        none_of(All, [&](const Constraint &C) {
          return equal(C, Constraint{*Room, false});
        }))
      return false;
  addEverywhere(Out.Assumptions, K.Guards.find(L->getHeader()).Assumptions,
                K.F);
  return make(0, Last, {whyNotFollowed(Phi), true}).moveTo(Out.Value);
}

Translation Values::of(const Value *V) {
  Translation Result;
  auto Found = Known.find(V);
  if (Found != Known.end()) {
    Result.Cases.push_back(Found->second);
    return Result;
  }
  const auto *Phi = dyn_cast<PHINode>(V);
  Case One, Other;
  bool Heads = Phi && K.LI.isLoopHeader(Phi->getParent());
  bool Falls = Heads && shrinks(*Phi, One);
  if (Falls || (Heads && growsToBound(*Phi, Other))) {
    One = Falls ? One : Other;
    Known.emplace(V, One);
    Result.Cases.push_back(std::move(One));
    return Result;
  }
  bool Signed =
      V->getType()->getIntegerBitWidth() > 63 || !isUsedAsUnsigned(*V);
  const Value *Of = isCut(V) ? cast<CallBase>(V)->getArgOperand(0) : V;
  const auto *I = dyn_cast<Instruction>(Of);
  ConstantRange Range =
      computeConstantRange(Of, Signed, /*UseInstrInfo=*/true, &K.AC,
                           I ? I->getNextNode() : nullptr, &K.DT);
  const SCEV *S = K.SE.getUnknown(const_cast<Value *>(Of));
  Range = Range.intersectWith(
      Signed ? K.SE.getSignedRange(S) : K.SE.getUnsignedRange(S),
      Signed ? ConstantRange::Signed : ConstantRange::Unsigned);
  APInt Low =
      Signed ? Range.getSignedMin().sext(65) : Range.getUnsignedMin().zext(65);
  APInt High =
      Signed ? Range.getSignedMax().sext(65) : Range.getUnsignedMax().zext(65);
  Case Plain;
  if (!make(Low.getSExtValue(), High.getSExtValue(),
            {whyNotFollowed(*V), (High - Low).ult(UsefulSpan)})
           .moveTo(Plain.Value))
    return notKnown(ReasonKind::KernelTooLarge);
  Known.emplace(V, Plain);
  Result.Cases.push_back(std::move(Plain));
  return Result;
}

} // namespace blockmaestro
