// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostArithmetic.h"

#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// The GPU has no conversion to fewer bits: it converts to these and cuts.
constexpr unsigned NarrowestConversion = 16;

/// Whether \p Dividend / \p Divisor may leave the range of its type.
bool mayOverflow(const Value *Dividend, const Value *Divisor,
                 const SimplifyQuery &Query) {
  if (const auto *C = dyn_cast<ConstantInt>(Divisor))
    return C->isMinusOne();
  return !isKnownNonNegative(Divisor, Query) &&
         !isKnownNonNegative(Dividend, Query);
}

/// Makes \p I a division that never traps, with the GPU's results.
void guardDivision(BinaryOperator &I) {
  SimplifyQuery Query(I.getModule()->getDataLayout(), &I);
  Instruction::BinaryOps Code = I.getOpcode();
  bool Signed = Code == Instruction::SDiv || Code == Instruction::SRem;
  bool Quotient = Code == Instruction::SDiv || Code == Instruction::UDiv;
  Value *Dividend = I.getOperand(0), *Divisor = I.getOperand(1);
  Type *T = I.getType();
  Constant *AllOnes = Constant::getAllOnesValue(T);
  IRBuilder<> B(&I);
  Value *Zero = nullptr, *Unsafe = nullptr;
  if (!isKnownNonZero(Divisor, Query))
    Zero = Unsafe = B.CreateIsNull(Divisor);
  if (Signed && mayOverflow(Dividend, Divisor, Query)) {
    unsigned Bits = T->getScalarSizeInBits();
    Constant *Least = ConstantInt::get(T, APInt::getSignedMinValue(Bits));
    Value *Overflow = B.CreateAnd(B.CreateICmpEQ(Dividend, Least),
                                  B.CreateICmpEQ(Divisor, AllOnes));
    Unsafe = Unsafe ? B.CreateOr(Unsafe, Overflow) : Overflow;
  }
  if (!Unsafe)
    return;
  Value *Safe = B.CreateSelect(Unsafe, ConstantInt::get(T, 1), Divisor);
  Value *Result = B.CreateBinOp(Code, Dividend, Safe);
  if (Zero)
    Result = B.CreateSelect(Zero, Quotient ? AllOnes : Dividend, Result);
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

/// Whether NaN becomes the number whose only bit is the highest; otherwise it
/// becomes 0.
bool isWideConversion(const Type &From, const Type &To) {
  return From.isDoubleTy() || To.getScalarSizeInBits() == 64;
}

/// Makes \p I a conversion that stays in range.
void saturate(CastInst &I) {
  bool Signed = I.getOpcode() == Instruction::FPToSI;
  Value *From = I.getOperand(0);
  Type *T = I.getType();
  Type *Wide = T;
  if (T->getScalarSizeInBits() < NarrowestConversion)
    Wide = T->getWithNewBitWidth(NarrowestConversion);
  IRBuilder<> B(&I);
  Value *Converted =
      B.CreateIntrinsic(Signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                        {Wide, From->getType()}, {From});
  if (isWideConversion(*From->getType()->getScalarType(), *T)) {
    APInt Least = APInt::getSignedMinValue(Wide->getScalarSizeInBits());
    Converted = B.CreateSelect(B.CreateFCmpUNO(From, From),
                               ConstantInt::get(Wide, Least), Converted);
  }
  I.replaceAllUsesWith(B.CreateTrunc(Converted, T));
  I.eraseFromParent();
}

} // namespace

void lowerArithmetic(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Binary = dyn_cast<BinaryOperator>(&I);
    if (Binary && Binary->isIntDivRem())
      guardDivision(*Binary);
    else if (isa<FPToSIInst, FPToUIInst>(I))
      saturate(cast<CastInst>(I));
  }
}

} // namespace blockmaestro
