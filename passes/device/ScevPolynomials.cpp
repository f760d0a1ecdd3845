// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScevPolynomials.h"

#include "KernelModel.h"
#include "Polynomials.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

#include <algorithm>

using namespace llvm;

// Note [Wrap]
// The program computes modulo 2^w, the footprint over the integers. For an
// expression e of w bits let P(e) be the polynomial built from the same sums
// and products, where every leaf (an index, an argument, a constant) is taken
// as its signed integer. Taking residues is a ring homomorphism, so the bits
// of e are always P(e) modulo 2^w, however often the computation wraps on the
// way. Truncation keeps that true for the smaller w and needs nothing.
// Only where the width grows does the integer itself matter: zext(e) is P(e)
// if and only if 0 <= P(e) < 2^w, sext(e) if and only if P(e) fits w bits
// signed. That is the Assumption recorded there, and nothing else is. A value
// that the program means as unsigned and that has its top bit set makes the
// assumption fail at launch; it never makes the polynomial wrong.
// An addition of 0xffffffff in 32 bits is the addition of -1 for the same
// reason. A recurrence {a,+,b} in iteration k is a + b*k modulo 2^w.

namespace blockmaestro {

namespace {

bool sameSymbol(const Symbol &A, const Symbol &B) {
  return A.Kind == B.Kind && A.Dimension == B.Dimension && A.Index == B.Index &&
         A.Offset == B.Offset && A.Bytes == B.Bytes && A.Signed == B.Signed;
}

bool isDivision(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  return I && (I->isIntDivRem() || I->getOpcode() == Instruction::LShr ||
               I->getOpcode() == Instruction::AShr);
}

} // namespace

ScevPolynomials::ScevPolynomials(ScalarEvolution &SE, LoopInfo &LI,
                                 Footprint &F)
    : SE(SE), F(F) {
  for (const Loop *L : LI.getLoopsInPreorder())
    Loops.push_back(L);
}

uint16_t ScevPolynomials::symbolIndex(const Symbol &S) {
  for (size_t I = 0; I < F.Symbols.size(); ++I)
    if (sameSymbol(F.Symbols[I], S))
      return static_cast<uint16_t>(I);
  F.Symbols.push_back(S);
  return static_cast<uint16_t>(F.Symbols.size() - 1);
}

Translation ScevPolynomials::translate(const SCEV *S) {
  Translation Result;
  Result.Value = visit(S, Result);
  return Result;
}

ScevPolynomials::Maybe ScevPolynomials::visit(const SCEV *S, Translation &To) {
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &Value = cast<SCEVConstant>(S)->getAPInt();
    if (Value.getSignificantBits() <= 64)
      return constantPolynomial(Value.getSExtValue());
    To.Why = {ReasonKind::IndexTooLarge, ""};
    return std::nullopt;
  }
  case scTruncate:
    return visit(cast<SCEVTruncateExpr>(S)->getOperand(), To);
  case scZeroExtend:
    return visitExtension(cast<SCEVZeroExtendExpr>(S)->getOperand(), false, To);
  case scSignExtend:
    return visitExtension(cast<SCEVSignExtendExpr>(S)->getOperand(), true, To);
  case scAddExpr:
  case scMulExpr:
    return visitOperands(S, To);
  case scAddRecExpr:
    return visitRecurrence(S, To);
  case scUnknown:
    return visitUnknown(cast<SCEVUnknown>(S)->getValue(), To);
  case scUDivExpr:
    To.Why = {ReasonKind::IndexDivided, ""};
    return std::nullopt;
  case scUMaxExpr:
  case scSMaxExpr:
  case scUMinExpr:
  case scSMinExpr:
  case scSequentialUMinExpr:
    To.Why = {ReasonKind::IndexMinMax, ""};
    return std::nullopt;
  default:
    To.Why = {ReasonKind::IndexNotPolynomial, ""};
    return std::nullopt;
  }
}

ScevPolynomials::Maybe ScevPolynomials::visitUnknown(const Value *V,
                                                     Translation &To) {
  if (std::optional<Symbol> S = launchValue(V))
    return symbolPolynomial(symbolIndex(*S));
  To.Why.Kind = isa<LoadInst>(V) ? ReasonKind::IndexLoaded
                : isDivision(V)  ? ReasonKind::IndexDivided
                                 : ReasonKind::IndexNotPolynomial;
  return std::nullopt;
}

/// See Note [Wrap].
ScevPolynomials::Maybe ScevPolynomials::visitExtension(const SCEV *Inner,
                                                       bool Signed,
                                                       Translation &To) {
  Maybe Value = visit(Inner, To);
  unsigned Bits = Inner->getType()->getIntegerBitWidth();
  if (!Value || Bits > 64)
    return std::nullopt;
  addAssumption(To.Assumptions, {*Value, static_cast<uint8_t>(Bits), Signed},
                F);
  return Value;
}

ScevPolynomials::Maybe ScevPolynomials::visitOperands(const SCEV *S,
                                                      Translation &To) {
  bool Sum = S->getSCEVType() == scAddExpr;
  Maybe Result = constantPolynomial(Sum ? 0 : 1);
  for (const SCEV *Operand : S->operands()) {
    Maybe Next = visit(Operand, To);
    if (!Next)
      return std::nullopt;
    Result = Sum ? add(*Result, *Next) : multiply(*Result, *Next);
    if (!Result) {
      To.Why = {ReasonKind::IndexTooLarge, ""};
      return std::nullopt;
    }
  }
  return Result;
}

ScevPolynomials::Maybe ScevPolynomials::visitRecurrence(const SCEV *S,
                                                        Translation &To) {
  const auto *Recurrence = cast<SCEVAddRecExpr>(S);
  auto Found = find(Loops, Recurrence->getLoop());
  if (!Recurrence->isAffine() || Found == Loops.end()) {
    To.Why = {ReasonKind::IndexNotPolynomial, "not linear in its loop"};
    return std::nullopt;
  }
  Maybe Start = visit(Recurrence->getStart(), To);
  Maybe Step = Start ? visit(Recurrence->getStepRecurrence(SE), To) : Start;
  if (!Step)
    return std::nullopt;
  Symbol Counter;
  Counter.Kind = SymbolKind::Counter;
  Counter.Index = static_cast<uint16_t>(Found - Loops.begin());
  Maybe Moved = multiply(*Step, symbolPolynomial(symbolIndex(Counter)));
  Maybe Result = Moved ? add(*Start, *Moved) : Moved;
  if (!Result)
    To.Why = {ReasonKind::IndexTooLarge, ""};
  return Result;
}

const LoopExtent &ScevPolynomials::extent(unsigned Counter) {
  auto Known = Extents.find(Counter);
  if (Known != Extents.end())
    return Known->second;
  return Extents.emplace(Counter, computeExtent(*Loops[Counter])).first->second;
}

/// From the first exit whose count is a polynomial of numbers known before the
/// loop starts; any other exit can only make the loop shorter.
LoopExtent ScevPolynomials::computeExtent(const Loop &L) {
  constexpr unsigned PerThread =
      1u << static_cast<unsigned>(SymbolKind::ThreadIdx) |
      1u << static_cast<unsigned>(SymbolKind::BlockIdx);
  LoopExtent Result;
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (BasicBlock *Block : Exiting) {
    const SCEV *Taken = SE.getExitCount(&L, Block);
    if (isa<SCEVCouldNotCompute>(Taken))
      continue;
    Translation Count = translate(Taken);
    unsigned Bits = Taken->getType()->getIntegerBitWidth();
    if (!Count.Value || mentions(*Count.Value, F, PerThread) || Bits > 64)
      continue;
    bool NeverNegative = SE.isKnownNonNegative(SE.applyLoopGuards(Taken, &L));
    addAssumption(Count.Assumptions,
                  {*Count.Value, static_cast<uint8_t>(Bits), NeverNegative}, F);
    Result.Count = add(*Count.Value, constantPolynomial(1));
    Result.Assumptions = std::move(Count.Assumptions);
    Result.MayLeaveEarly = Exiting.size() > 1;
    if (Result.Count)
      break;
  }
  return Result;
}

} // namespace blockmaestro
