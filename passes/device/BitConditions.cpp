// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Conditions.h"

#include "KernelAnalysis.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// Comparisons that say something of bits, and of addresses; see Note
// [Comparisons] and Note [Bits].

namespace blockmaestro {

using Predicate = CmpInst::Predicate;

/// Whether the bit of Power, a power of two, is set in Number. None where Power
/// is no number of the launch.
std::optional<Condition> Conditions::bitTest(const Value *Number,
                                             const Value *Power, bool Set,
                                             bool Signed, const Loop *Scope) {
  const unsigned Bits = Number->getType()->getIntegerBitWidth();
  if (isa<Constant>(Number) || isa<Constant>(Power) || Bits < 2 || Bits > 64)
    return std::nullopt;
  const Translation Bit =
      K.Scev.bitOf(K.Scev.translate(Number, Scope),
                   K.Scev.translate(Power, Scope), Bits, Signed);
  if (Bit.Cases.empty())
    return std::nullopt;
  return compare(Bit, oneCase(constantPolynomial(Set)), Predicate::ICMP_EQ,
                 Bits);
}

/// Of "x ^ y > x", that the bit of y is not set in x, of "x & y", whether it
/// is; see Note [Bits]. None for any other comparison.
std::optional<Condition> Conditions::ofBit(const CmpInst &Compare, bool Holds,
                                           const Loop *Scope) {
  Predicate P = Holds ? Compare.getPredicate() : Compare.getInversePredicate();
  const Value *A = Compare.getOperand(0), *B = Compare.getOperand(1);
  const Value *Number = nullptr, *Power = nullptr;
  if (!CmpInst::isEquality(P)) {
    if (!match(A, m_c_Xor(m_Specific(B), m_Value(Power)))) {
      std::swap(A, B);
      P = CmpInst::getSwappedPredicate(P);
    }
    if (!match(A, m_c_Xor(m_Specific(B), m_Value(Power))))
      return std::nullopt;
    const bool Above = ICmpInst::isGT(P) || ICmpInst::isGE(P);
    return bitTest(B, Power, !Above, CmpInst::isSigned(P), Scope);
  }
  if (!match(A, m_And(m_Value(Number), m_Value(Power))) || !match(B, m_Zero()))
    return std::nullopt;
  const bool Set = P == Predicate::ICMP_NE;
  std::optional<Condition> Result = bitTest(Number, Power, Set, false, Scope);
  return Result ? Result : bitTest(Power, Number, Set, false, Scope);
}

/// Whether Compare is "(x & y) != 0", and y such that it says x & y > 0.
bool Conditions::testsLowBits(const CmpInst &Compare, const Loop *Scope) {
  const Value *A = nullptr;
  const Value *B = nullptr;
  if (!match(&Compare, m_ICmp(m_And(m_Value(A), m_Value(B)), m_Zero())))
    return false;
  return any_of(ArrayRef({A, B}), [&](const Value *Mask) {
    const Translation Y = K.Scev.translate(Mask, Scope);
    return !Y.Cases.empty() && all_of(Y.Cases, [&](const Case &One) {
      return K.Scev.isBitsOfLaunch(One.Value);
    });
  });
}

/// Of pointers that do not point into one object, where the launch gives them;
/// one that is not null is above.
Condition Conditions::ofAddresses(const CmpInst &Compare, bool Holds,
                                  const Loop *Scope) {
  Predicate P = Holds ? Compare.getPredicate() : Compare.getInversePredicate();
  Translation Sides[2];
  for (unsigned I = 0; I < 2; ++I)
    Sides[I] = K.Scev.address(
        K.SE.getSCEVAtScope(Compare.getOperand(I), const_cast<Loop *>(Scope)),
        Scope);
  if (Sides[0].Cases.empty() || Sides[1].Cases.empty())
    return unknownCondition({ReasonKind::GuardNotPolynomial, ""});
  if (isa<ConstantPointerNull>(Compare.getOperand(1)) &&
      P == Predicate::ICMP_NE)
    P = Predicate::ICMP_UGT;
  return compare(Sides[0], Sides[1], ICmpInst::getSignedPredicate(P), 64);
}

} // namespace blockmaestro
