// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IssuedSequences.h"

#include "AccessMarks.h"
#include "Chains.h"
#include "IssuedMark.h"
#include "Predication.h"
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

constexpr Sequences DivisionSequences = {"oAaSSSSSbb", "ioAkDDDDDDDDSKBb"};
constexpr StringLiteral SingleReciprocal = "oIIKBASSSB";
constexpr StringLiteral DoubleRoot = "iioAIkDDdDDDiiDDbb";

struct FunctionRow {
  Intrinsic::ID Id;
  Sequences Issued;
};

/// Sines and cosines of doubles are not there: one instruction of its own class
/// stands for them, as for all functions that are not.
constexpr FunctionRow FunctionSequences[] = {
    {Intrinsic::sqrt, {"SSAS", DoubleRoot}},
    {Intrinsic::exp, {"siSSSSSAS", "iiioDkDDDDDDDDDDDDDDIIbb"}},
    {Intrinsic::exp2, {"SSAS", ""}},
    {Intrinsic::log,
     {"sKSIIIiSskSsiSSSSSSSSSSskS", "iiiIiiIbIIIDAdDDDDDDDDddDDdDDDdDDDDDobb"}},
    {Intrinsic::sin, {"oSkCISSSbbiSiiSisSssSsSSS", ""}},
    {Intrinsic::cos, {"oSkCISSSbbiSiiSisSssSsSSS", ""}},
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
    {"llvm.nvvm.sqrt.rn.f", "oIaKBSsSSB"},
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
    return "CikAICiPPPIPKIiKII";
  case Instruction::URem:
    return "CikAICiPPPIPKIKII";
  case Instruction::SDiv:
    return "IiCiikAICiPPPpPPKIikKIII";
  default:
    return "IiCikAICiIPPiPPKIkKIII";
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

/// Whether \p I multiplies what was widened to 64 bits by a constant, for one
/// address alone.
bool isScale(const BinaryOperator &I) {
  const auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
  return By && I.hasOneUse() && I.getType()->isIntegerTy(64) &&
         (I.getOpcode() == Instruction::Shl ||
          I.getOpcode() == Instruction::Mul) &&
         By->getValue().ult(1u << 20) &&
         isa<SExtInst, ZExtInst>(I.getOperand(0)) &&
         isa<GetElementPtrInst>(*I.user_begin());
}

bool isInShared(const GetElementPtrInst &Address) {
  constexpr unsigned Shared = 3;
  return getUnderlyingObject(&Address, /*MaxLookup=*/0)
             ->getType()
             ->getPointerAddressSpace() == Shared;
}

/// Whether \p Index is one of 32 bits, or such a one by a constant, which the
/// product that makes the address does, too.
bool isShortIndex(const Value *Index) {
  const auto *Scaled = dyn_cast<BinaryOperator>(Index);
  if (Scaled && isScale(*Scaled))
    Index = Scaled->getOperand(0);
  return isa<SExtInst, ZExtInst>(Index);
}

/// Whether a GPU computes an address by one instruction: in shared memory,
/// which has 32 bits, or by an index of 32 bits.
bool isShort(const GetElementPtrInst &Address) {
  return isInShared(Address) ||
         isShortIndex(Address.getOperand(Address.getNumOperands() - 1));
}

/// Whether \p I is a shift that the only sum that it is part of does, too.
bool isShiftOfSum(const Instruction &I) {
  return I.getOpcode() == Instruction::Shl && I.hasOneUse() &&
         !I.getType()->isIntegerTy(64) && isa<ConstantInt>(I.getOperand(1)) &&
         cast<Instruction>(*I.user_begin())->getOpcode() == Instruction::Add;
}

/// Whether \p I is a sum of two numbers of 32 bits and of nothing that would be
/// part of it.
bool isPlainSum(const Instruction &I) {
  return I.getOpcode() == Instruction::Add && I.getType()->isIntegerTy(32) &&
         none_of(I.operands(), [](const Use &Of) {
           const auto *Part = dyn_cast<Instruction>(Of);
           return Part &&
                  (isShiftOfSum(*Part) ||
                   (Part->getOpcode() == Instruction::Mul && isFolded(*Part)));
         });
}

/// The sum that could take \p I, which is one, as two of its three numbers.
const Instruction *sumOf(const Instruction &I) {
  if (!I.hasOneUse() || !isPlainSum(I))
    return nullptr;
  const auto *Sum = cast<Instruction>(*I.user_begin());
  if (Sum->getParent() != I.getParent() || !isPlainSum(*Sum))
    return nullptr;
  const auto *First = dyn_cast<Instruction>(Sum->getOperand(0));
  const bool IsSecond = First && First != &I && First->hasOneUse() &&
                        First->getParent() == I.getParent() &&
                        isPlainSum(*First);
  return IsSecond ? nullptr : Sum;
}

/// Whether \p I is done by the sum behind it, which adds three numbers: in a
/// row of sums each second one.
bool isPartOfSum(const Instruction &I) {
  bool Is = false;
  for (const Instruction *Sum = sumOf(I); Sum; Sum = sumOf(*Sum))
    Is = !Is;
  return Is;
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

/// Whether \p I is only asked by what is executed by a predicate, which is part
/// of one basic block on a GPU: ptxas has such comparisons ahead of it, behind
/// which a trace, whose blocks come in their turn, would wait for each.
bool isMadeAhead(const Instruction &I) {
  return !I.use_empty() && all_of(I.users(), [](const User *Of) {
    return isReplacedByPredicate(*cast<Instruction>(Of));
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
  if (isFolded(I) || isShiftOfSum(I) || isPartOfSum(I) || isIssuedWithOthers(I))
    return 0;
  if (const auto *Scaled = dyn_cast<BinaryOperator>(&I);
      Scaled && isScale(*Scaled))
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
  if (isa<CmpInst>(I) && !I.getOperand(0)->getType()->isDoubleTy() &&
      !isMadeAhead(I))
    return WarpClass::Comparison;
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
  case 'k':
    return WarpClass::Comparison;
  case 'b':
    return WarpClass::Branch;
  default:
    return WarpClass::Other;
  }
}

} // namespace blockmaestro
