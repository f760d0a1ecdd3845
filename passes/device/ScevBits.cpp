// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScevPolynomials.h"

#include "KernelAnalysis.h"
#include "Polynomials.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

using namespace llvm;

// Note [Bits]
// By a constant c, x & c is found run by run: a run of ones is a remainder of a
// quotient. x | c is x + c - (x & c), x ^ c is x + c - 2*(x & c).
// By a number of the launch that is made of a power of two d, as in sorting
// networks and transforms: x & d is d*(floor(x/d) - 2*floor(x/2d)), x & (d-1) a
// remainder, x & -d is d*floor(x/d), and x & ~d is x - (x & d). Which of these
// a polynomial y is, its form says: d is y, y + 1, -y or -1 - y. That d is a
// power of two below 2^w is assumed: it is where d divides 2^(w-1), at most
// 2^58, so d*floor(2^(w-1) / d) - 2^(w-1), which is never above 0, is not
// below. A power of two divides 2^w, so the residue of x has the same bits as
// P(x); see Note [Wrap]. A plain y may be a power or one less: in x ^ y, and in
// a comparison of x & y with zero, it is taken for a power; elsewhere x & y
// stays a value. x ^ d > x, without signs, says that the bit of d is not set in
// x. What is a multiple of d and what is a remainder by d have no bit in
// common: "or" is their sum.

namespace blockmaestro {

/// A number of the launch made of Power, which is 2^k for some k.
struct ScevPolynomials::LaunchMask {
  enum class Form {
    OneBit,    ///< 2^k
    LowBits,   ///< 2^k - 1
    HighBits,  ///< -2^k
    OtherBits, ///< -1 - 2^k
  };
  Form Kind;
  Polynomial Power;
};

/// Whether P is cut to as many bits as __mul24 takes, and made of the indices
/// and sizes of threads and blocks: then it is assumed to have no more.
bool ScevPolynomials::isOfSizes(const Polynomial &P, unsigned Bits) const {
  constexpr unsigned Sizes =
      kindBit(SymbolKind::ThreadIdx) | kindBit(SymbolKind::BlockIdx) |
      kindBit(SymbolKind::BlockDim) | kindBit(SymbolKind::GridDim);
  return Bits == ProductBits && !mentions(P, K.F, ~Sizes);
}

/// Value & Mask, run of ones by run of ones.
CheckedPolynomial ScevPolynomials::masked(const Polynomial &Value, APInt Mask,
                                          Case &Out) {
  auto Power = [](unsigned Bits) {
    return constantPolynomial(int64_t(1) << Bits);
  };
  CheckedPolynomial Sum = 0;
  while (Sum && !Mask.isZero()) {
    unsigned From = Mask.countr_zero();
    unsigned Length = Mask.lshr(From).countr_one();
    Mask.clearBits(From, From + Length);
    if (From + Length > 62)
      return NoPolynomial();
    if (From == 0 && Mask.isZero() && isOfSizes(Value, Length)) {
      addFact(Out.Assumptions, {Value, ProductBits, false}, K.F);
      return Value;
    }
    const CheckedPolynomial Run = K.Symbols.remainder(
        K.Symbols.quotient(Value, Power(From), Out.Assumptions), Power(Length),
        Out.Assumptions);
    Sum += Run * Power(From);
  }
  return Sum;
}

/// What form Y has; none where it is no number of the launch, or of no form.
std::optional<ScevPolynomials::LaunchMask>
ScevPolynomials::launchMask(const Polynomial &Y) const {
  if (mentions(Y, K.F, AtPoints))
    return std::nullopt;
  int64_t Constant = 0;
  const Monomial *Leading = nullptr;
  for (const Monomial &M : Y.Terms)
    if (M.Factors.empty())
      Constant = M.Coefficient;
    else if (!Leading)
      Leading = &M;
  if (!Leading || (Constant != 0 && Constant != -1))
    return std::nullopt;
  const bool Up = Leading->Coefficient > 0;
  using Form = LaunchMask::Form;
  LaunchMask Mask{Constant ? Up ? Form::LowBits : Form::OtherBits
                  : Up     ? Form::OneBit
                           : Form::HighBits,
                  {}};
  const CheckedPolynomial Power = Up ? Y - Constant : Constant - Y;
  return CheckedPolynomial(Power).moveTo(Mask.Power) ? std::optional(Mask)
                                                     : std::nullopt;
}

/// Whether P is a power of two as it is written, if it is at least 1.
bool ScevPolynomials::isPower(const Polynomial &P) const {
  return P.Terms.size() == 1 && isPowerOf2_64(P.Terms[0].Coefficient) &&
         all_of(P.Terms[0].Factors, [&](uint16_t Factor) {
           return K.F.Symbols[Factor].Kind == SymbolKind::Power;
         });
}

/// 0 where Power is a power of two of so many bits, and less elsewhere; see
/// Note [Bits].
CheckedPolynomial ScevPolynomials::overPower(const Polynomial &Power,
                                             unsigned Bits, Case &Out) {
  constexpr unsigned MostBits = 58;
  const int64_t Highest = int64_t(1) << std::min(Bits - 1, MostBits);
  return Power * K.Symbols.quotient(Highest, Power, Out.Assumptions) - Highest;
}

/// Adds to Out that Power is a power of two of so many bits; false where that
/// cannot be said.
bool ScevPolynomials::needPower(const Polynomial &Power, unsigned Bits,
                                Case &Out) {
  Fact Needed{Power, static_cast<uint8_t>(Bits), false};
  if (!isPower(Power)) {
    Needed.Bits = 63;
    if (!overPower(Power, Bits, Out).moveTo(Needed.Value))
      return false;
  }
  addFact(Out.Assumptions, Needed, K.F);
  return true;
}

/// Whether the bit of Power is set in X, as 0 or 1.
CheckedPolynomial ScevPolynomials::bit(const Polynomial &X,
                                       const Polynomial &Power, Case &Out) {
  return K.Symbols.quotient(X, Power, Out.Assumptions) -
         2 * K.Symbols.quotient(X, 2 * CheckedPolynomial(Power),
                                Out.Assumptions);
}

/// X & Mask.
CheckedPolynomial ScevPolynomials::common(const Polynomial &X,
                                          const LaunchMask &Mask, Case &Out) {
  switch (Mask.Kind) {
  case LaunchMask::Form::LowBits:
    return K.Symbols.remainder(X, Mask.Power, Out.Assumptions);
  case LaunchMask::Form::HighBits:
    return Mask.Power * K.Symbols.quotient(X, Mask.Power, Out.Assumptions);
  case LaunchMask::Form::OneBit:
    return Mask.Power * bit(X, Mask.Power, Out);
  case LaunchMask::Form::OtherBits:
    return X - Mask.Power * bit(X, Mask.Power, Out);
  }
  return NoPolynomial();
}

/// Where Y is a remainder by a power of two that all terms of X are multiples
/// of, so that no bit is in both: adds to Out that it is such a power.
bool ScevPolynomials::areDisjoint(const Polynomial &X, const Polynomial &Y,
                                  unsigned Bits, Case &Out) {
  for (uint16_t S : symbolsIn(Y, K.F, kindBit(SymbolKind::Quotient))) {
    const Quotient Q = K.F.Quotients[K.F.Symbols[S].Index];
    if (!K.Effort.spend() || Q.Denominator.Terms.size() != 1)
      continue;
    std::vector<Fact> Needed;
    const CheckedPolynomial Rest =
        K.Symbols.remainder(Q.Numerator, Q.Denominator, Needed);
    if (Rest && equal(*Rest, Y) && Needed.empty() &&
        all_of(X.Terms, [&](const Monomial &M) {
          return divided(M, Q.Denominator.Terms[0]).has_value();
        }))
      return needPower(Q.Denominator, Bits, Out);
  }
  return false;
}

/// I of X and Y, of which one is a number of the launch that is made of a power
/// of two below 2^Bits, or has other bits than the other; none of that may be
/// known only by its range.
CheckedPolynomial ScevPolynomials::withLaunch(const BinaryOperator &I,
                                              Polynomial X, Polynomial Y,
                                              unsigned Bits, Case &Out) {
  const bool And = I.getOpcode() == Instruction::And;
  const bool Xor = I.getOpcode() == Instruction::Xor;
  if (mentions(X, K.F, kindBit(SymbolKind::Value)) ||
      mentions(Y, K.F, kindBit(SymbolKind::Value)))
    return NoPolynomial();
  if (!And && (areDisjoint(X, Y, Bits, Out) || areDisjoint(Y, X, Bits, Out)))
    return X + Y;
  if (mentions(Y, K.F, AtPoints))
    std::swap(X, Y);
  const std::optional<LaunchMask> Mask = launchMask(Y);
  const bool Plain = Mask && Mask->Kind == LaunchMask::Form::OneBit;
  if (!Mask || (Plain && !mentions(X, K.F, AtPoints)) ||
      (Plain && !Xor && !isPower(Mask->Power)) ||
      !needPower(Mask->Power, Bits, Out))
    return NoPolynomial();
  const CheckedPolynomial Common = common(X, *Mask, Out);
  return And ? Common : X + Y - Common * (Xor ? 2 : 1);
}

/// Whether every case of Number has a form that says what its bits are.
bool ScevPolynomials::isMask(const Translation &Number) const {
  return !Number.Cases.empty() && all_of(Number.Cases, [&](const Case &One) {
    return launchMask(One.Value).has_value();
  });
}

/// Of Inner, which is extended: an operation on bits is the same before and
/// behind, so that only the operand that is no mask has to fit. A mask with all
/// high bits is no number below 2^w; what it leaves is. No cases for any other,
/// and with a constant.
Translation ScevPolynomials::extendedBits(const SCEV *Inner, bool Signed,
                                          const Loop *Scope) {
  const auto *Unknown = dyn_cast<SCEVUnknown>(Inner);
  const auto *I =
      Unknown ? dyn_cast<BinaryOperator>(Unknown->getValue()) : nullptr;
  if (!I || !I->isBitwiseLogicOp() || I->getType()->isIntegerTy(1) ||
      isa<Constant>(I->getOperand(1)))
    return {};
  Scope = ownScope(Inner, Scope);
  const unsigned Bits = I->getType()->getIntegerBitWidth();
  Translation Sides[2];
  bool Masks[2];
  for (unsigned Side : {0, 1}) {
    Sides[Side] = translate(I->getOperand(Side), Scope);
    Masks[Side] = isMask(Sides[Side]);
    if (!Masks[Side])
      Sides[Side] = extended(std::move(Sides[Side]), Bits, Signed);
  }
  if (Masks[0] && Masks[1])
    return {};
  return combine(Sides[0], Sides[1], K.F,
                 [&](const Polynomial &X, const Polynomial &Y,
                     Case &Out) -> CheckedPolynomial {
                   const auto Mask = launchMask(Masks[0] ? X : Y);
                   const bool High =
                       Mask && (Mask->Kind == LaunchMask::Form::HighBits ||
                                Mask->Kind == LaunchMask::Form::OtherBits);
                   if (High && !Signed && I->getOpcode() != Instruction::And)
                     return NoPolynomial();
                   return withLaunch(*I, X, Y, Bits - Signed, Out);
                 });
}

Translation ScevPolynomials::bitOf(const Translation &Number,
                                   const Translation &Power, unsigned Bits,
                                   bool Signed) {
  return combine(Number, Power, K.F,
                 [&](const Polynomial &X, const Polynomial &Y,
                     Case &Out) -> CheckedPolynomial {
                   const std::optional<LaunchMask> Mask = launchMask(Y);
                   if (!Mask || Mask->Kind != LaunchMask::Form::OneBit ||
                       !mentions(X, K.F, AtPoints) ||
                       mentions(X, K.F, kindBit(SymbolKind::Value)) ||
                       !needPower(Y, Bits - Signed, Out))
                     return NoPolynomial();
                   return bit(X, Y, Out);
                 });
}

/// By a constant, or a number of the launch made of a power of two, see Note
/// [Bits]. Otherwise a value: x & y is in 0 .. y for y >= 0, x | y and x ^ y in
/// 0 .. x + y for x, y >= 0.
Translation ScevPolynomials::bitwise(const BinaryOperator &I,
                                     const Translation &A, const Translation &B,
                                     unsigned Bits) {
  const auto *Constant = dyn_cast<ConstantInt>(I.getOperand(1));
  bool And = I.getOpcode() == Instruction::And;
  if (Constant)
    return combine(
        A, B, K.F, [&](const Polynomial &X, const Polynomial &Y, Case &Out) {
          const CheckedPolynomial Common = masked(X, Constant->getValue(), Out);
          const bool Xor = I.getOpcode() == Instruction::Xor;
          return And ? Common : X + Y - Common * (Xor ? 2 : 1);
        });
  if (Translation Result =
          combine(A, B, K.F,
                  [&](const Polynomial &X, const Polynomial &Y, Case &Out) {
                    return withLaunch(I, X, Y, Bits, Out);
                  });
      !Result.Cases.empty())
    return Result;
  uint8_t Magnitude = static_cast<uint8_t>(Bits - 1);
  return combine(
      A, B, K.F, [&](const Polynomial &X, const Polynomial &Y, Case &Out) {
        bool SecondIsMask =
            !mentions(Y, K.F, AtPoints) || !provablyNonNegative(X, K.F);
        const CheckedPolynomial High = !And ? X + Y : SecondIsMask ? Y : X;
        if (!And || !SecondIsMask)
          addFact(Out.Assumptions, {X, Magnitude, false}, K.F);
        if (!And || SecondIsMask)
          addFact(Out.Assumptions, {Y, Magnitude, false}, K.F);
        return K.Unfollowed.make(0, High,
                                 {{ReasonKind::IndexNotPolynomial, ""}, true});
      });
}

bool ScevPolynomials::isBitsOfLaunch(const Polynomial &Y) const {
  const std::optional<LaunchMask> Mask = launchMask(Y);
  return Mask && Mask->Kind == LaunchMask::Form::LowBits;
}

} // namespace blockmaestro
