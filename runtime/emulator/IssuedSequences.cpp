// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IssuedSequences.h"

#include "AccessMarks.h"
#include "Chains.h"
#include "IssuedMark.h"
#include "WarpLowering.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// By the type of the result, float or double.
struct Sequences {
  StringLiteral Single;
  StringLiteral Double;
};

constexpr Sequences DivisionSequences = {"oAsSSSSSbo", "ioAsDDDDDDDDssbo"};
constexpr StringLiteral SingleReciprocal = "oiiibASSSo";
constexpr StringLiteral DoubleRoot = "iioAiiDDDDDDDdiibo";

struct FunctionRow {
  Intrinsic::ID Id;
  Sequences Issued;
};

/// Sines and cosines of doubles are not there: one instruction of its own class
/// stands for them, as for all functions that are not.
constexpr FunctionRow FunctionSequences[] = {
    {Intrinsic::sqrt, {"SSAS", DoubleRoot}},
    {Intrinsic::exp, {"siSSSSSAS", "iiioDsDDDDDDDDDDDDDDIIbo"}},
    {Intrinsic::exp2, {"SSAS", ""}},
    {Intrinsic::log,
     {"siSSIIISSScsiSSSSSSSSSSSSSsS",
      "iiiIiiIbIIIDAdDDDDDDDDddDDdDDDdDDDDDobo"}},
    {Intrinsic::sin, {"oSsCISSSbSsssisiSSSSSo", ""}},
    {Intrinsic::cos, {"oSsCISSSbSsssisiSSSSSo", ""}},
};

struct NamedRow {
  StringLiteral Prefix;
  StringLiteral Issued;
};

/// Of the target's own functions.
constexpr NamedRow NamedSequences[] = {
    {"llvm.nvvm.ex2.approx.ftz", "A"},
    {"llvm.nvvm.ex2.approx", "SSAS"},
    {"llvm.nvvm.lg2.approx.ftz", "A"},
    {"llvm.nvvm.lg2.approx", "SSAS"},
    {"llvm.nvvm.sin.approx", "A"},
    {"llvm.nvvm.cos.approx", "A"},
    {"llvm.nvvm.tanh.approx", "A"},
    {"llvm.nvvm.rcp.approx", "A"},
    {"llvm.nvvm.rsqrt.approx.ftz", "A"},
    {"llvm.nvvm.rsqrt.approx", "SSAS"},
    {"llvm.nvvm.sqrt.approx.ftz", "A"},
    {"llvm.nvvm.sqrt.approx", "SSAS"},
    {"llvm.nvvm.div.approx.ftz", "AS"},
    {"llvm.nvvm.div.approx", "SSsAS"},
    {"llvm.nvvm.div.rn.f", DivisionSequences.Single},
    {"llvm.nvvm.div.rn.d", DivisionSequences.Double},
    {"llvm.nvvm.rcp.rn.f", SingleReciprocal},
    {"llvm.nvvm.sqrt.rn.f", "oiAibSsSSo"},
    {"llvm.nvvm.sqrt.rn.d", DoubleRoot},
};

StringRef ofType(const Sequences &Of, const Type *T) {
  return T->isFloatTy()    ? StringRef(Of.Single)
         : T->isDoubleTy() ? StringRef(Of.Double)
                           : StringRef();
}

/// By a number that only the launch knows.
StringRef divisionOfIntegers(unsigned Opcode, bool IsLong) {
  if (IsLong)
    return "oiiCACIPPPPIIIPPPPIIIPPPPIIIPPPPIIIIIIIIIbo";
  switch (Opcode) {
  case Instruction::UDiv:
    return "CAICiPPPPIIIIiI";
  case Instruction::URem:
    return "CAICiPPPPIIIiI";
  case Instruction::SDiv:
    return "iiICAICiiiPPPPIIIIIiII";
  default:
    return "iiICAICiiPPPPIIIIiII";
  }
}

/// By a constant: a product's upper half, and what corrects it.
StringRef divisionByConstant(const BinaryOperator &I, bool IsLong) {
  const auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
  const bool IsRemainder =
      I.getOpcode() == Instruction::URem || I.getOpcode() == Instruction::SRem;
  if (By && By->getValue().abs().isPowerOf2())
    return IsLong ? (IsRemainder ? "IIIIIIII" : "IIIIII")
                  : (IsRemainder ? "IIII" : "III");
  if (IsLong)
    return IsRemainder ? "iPPPPPIIIIPPPI" : "iPPPPPIIII";
  return IsRemainder ? "iPIIP" : "iPII";
}

StringRef sequenceOf(const BinaryOperator &I) {
  switch (I.getOpcode()) {
  case Instruction::FDiv:
    return PatternMatch::match(I.getOperand(0), PatternMatch::m_FPOne()) &&
                   I.getType()->isFloatTy()
               ? StringRef(SingleReciprocal)
               : ofType(DivisionSequences, I.getType());
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem: {
    if (!I.getType()->isIntegerTy())
      return {};
    const bool IsLong = I.getType()->getIntegerBitWidth() > 32;
    return isa<Constant>(I.getOperand(1))
               ? divisionByConstant(I, IsLong)
               : divisionOfIntegers(I.getOpcode(), IsLong);
  }
  default:
    return {};
  }
}

StringRef lettersOf(const Instruction &I) {
  const MDNode *Mark = I.getMetadata(IssuedMark);
  return Mark ? cast<MDString>(Mark->getOperand(0))->getString() : StringRef();
}

bool isSign(const Instruction &I) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() == Intrinsic::fabs ||
           Call->getCalledFunction()->getName().starts_with("llvm.nvvm.fabs");
  return I.getOpcode() == Instruction::FNeg;
}

StringRef sequenceOf(const CallInst &Call) {
  for (const FunctionRow &Row : FunctionSequences)
    if (Call.getIntrinsicID() == Row.Id)
      return ofType(Row.Issued, Call.getType());
  const Function *Callee = Call.getCalledFunction();
  if (Callee)
    for (const NamedRow &Row : NamedSequences)
      if (Callee->getName().starts_with(Row.Prefix))
        return Row.Issued;
  return {};
}

bool isInShared(const GetElementPtrInst &Address) {
  constexpr unsigned Shared = 3;
  return getUnderlyingObject(&Address, /*MaxLookup=*/0)
             ->getType()
             ->getPointerAddressSpace() == Shared;
}

/// Whether a GPU computes an address by one instruction: in shared memory,
/// which has 32 bits, or by an index of 32 bits.
bool isShort(const GetElementPtrInst &Address) {
  return isInShared(Address) || isa<SExtInst, ZExtInst>(Address.getOperand(
                                    Address.getNumOperands() - 1));
}

/// Whether \p I is a shift that the only sum that it is part of does, too.
bool isShiftOfSum(const Instruction &I) {
  return I.getOpcode() == Instruction::Shl && I.hasOneUse() &&
         !I.getType()->isIntegerTy(64) && isa<ConstantInt>(I.getOperand(1)) &&
         cast<Instruction>(*I.user_begin())->getOpcode() == Instruction::Add;
}

/// Whether a product of integers is part of \p I, or \p I is one: an address
/// by an index of 32 bits is, but in shared memory.
bool isProduct(const Instruction &I) {
  if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return isShort(*Address) && !isInShared(*Address);
  if (I.getOpcode() == Instruction::Mul)
    return true;
  return I.getOpcode() == Instruction::Add &&
         any_of(I.operands(), [](const Use &Of) {
           const auto *Product = dyn_cast<Instruction>(Of);
           return Product && Product->getOpcode() == Instruction::Mul &&
                  isFolded(*Product);
         });
}

} // namespace

bool isIssuedWithOthers(const Instruction &I) {
  return (I.hasMetadata(IssuedMark) && lettersOf(I).empty()) || isSign(I);
}

StringRef issuedSequenceOf(const Instruction &I) {
  if (I.hasMetadata(IssuedMark))
    return lettersOf(I);
  if (const auto *Binary = dyn_cast<BinaryOperator>(&I))
    return sequenceOf(*Binary);
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call ? sequenceOf(*Call) : StringRef();
}

unsigned issuesOf(const Instruction &I) {
  if (isFolded(I) || isShiftOfSum(I) || isIssuedWithOthers(I))
    return 0;
  if (const StringRef Sequence = issuedSequenceOf(I); !Sequence.empty())
    return unsigned(Sequence.size());
  if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return isShort(*Address) ? 1 : 2;
  const Type *Of = isa<ICmpInst>(I) ? I.getOperand(0)->getType() : I.getType();
  if (!Of->isIntegerTy(64) || !isa<BinaryOperator, ICmpInst, SelectInst>(I))
    return 1;
  const bool IsProduct =
      I.getOpcode() == Instruction::Mul || I.getOpcode() == Instruction::Shl;
  if (IsProduct && isa<SExtInst, ZExtInst>(I.getOperand(0)))
    return 1;
  return I.getOpcode() == Instruction::Mul ? 4 : 2;
}

WarpClass issuedClassOf(const Instruction &I, CostClass Counted) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (Callee && Callee->getName().starts_with(MultiplyMarker))
    return WarpClass::Matrix;
  if (Counted == &BlockCost::Special)
    return isConversion(I) ? WarpClass::Conversion : WarpClass::Special;
  if (Counted == &BlockCost::Integer && isProduct(I))
    return WarpClass::Product;
  static constexpr std::pair<CostClass, WarpClass> Classes[] = {
      {&BlockCost::Integer, WarpClass::Integer},
      {&BlockCost::Single, WarpClass::Single},
      {&BlockCost::Double, WarpClass::Double},
      {&BlockCost::Branches, WarpClass::Branch},
      {&BlockCost::Exchanges, WarpClass::Exchange},
      {&BlockCost::Barriers, WarpClass::Barrier},
      {&BlockCost::Private, WarpClass::Private},
  };
  for (const auto &[Number, Class] : Classes)
    if (Number == Counted)
      return Class;
  return WarpClass::Other;
}

WarpClass classOfLetter(char Letter) {
  switch (Letter | ('a' - 'A')) {
  case 'a':
    return WarpClass::Approximation;
  case 'c':
    return WarpClass::Conversion;
  case 's':
    return WarpClass::Single;
  case 'd':
    return WarpClass::Double;
  case 'i':
    return WarpClass::Integer;
  case 'p':
    return WarpClass::Product;
  case 'b':
    return WarpClass::Branch;
  default:
    return WarpClass::Other;
  }
}

} // namespace blockmaestro
