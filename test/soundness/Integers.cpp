// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Integers.h"

namespace blockmaestro::soundness {

constexpr IntTraits Types[] = {
    {"signed char", 8, true}, {"unsigned char", 8, false},
    {"short", 16, true},      {"unsigned short", 16, false},
    {"int", 32, true},        {"unsigned", 32, false},
    {"long", 64, true},       {"unsigned long", 64, false},
};

constexpr const char *Spellings[] = {
    "+",  "-",  "*", "/",  "%", "&",  "|",  "^",
    "<<", ">>", "<", "<=", ">", ">=", "==", "!="};
static_assert(sizeof(Spellings) / sizeof(*Spellings) == OperatorCount);

const IntTraits &traits(Int T) { return Types[unsigned(T)]; }

Int promoted(Int T) { return traits(T).Bits < 32 ? Int::I32 : T; }

Int common(Int A, Int B) {
  A = promoted(A);
  B = promoted(B);
  return A < B ? B : A;
}

Wide wrapped(Wide Value, Int T) {
  const IntTraits &Of = traits(T);
  Wide Modulus = Wide(1) << Of.Bits;
  Wide Bits = Value & (Modulus - 1);
  return Of.Signed && Bits >= Modulus / 2 ? Bits - Modulus : Bits;
}

bool fits(Wide Value, Int T) { return wrapped(Value, T) == Value; }

const char *spelling(Operator What) { return Spellings[unsigned(What)]; }

bool isComparison(Operator What) { return What >= Operator::Less; }

bool isShift(Operator What) {
  return What == Operator::ShiftLeft || What == Operator::ShiftRight;
}

Int resultType(Operator What, Int A, Int B) {
  if (isComparison(What))
    return Int::I32;
  return isShift(What) ? promoted(A) : common(A, B);
}

static Wide compare(Operator What, Wide A, Wide B) {
  switch (What) {
  case Operator::Less:
    return A < B;
  case Operator::LessEqual:
    return A <= B;
  case Operator::Greater:
    return A > B;
  case Operator::GreaterEqual:
    return A >= B;
  case Operator::Equal:
    return A == B;
  default:
    return A != B;
  }
}

static Wide shift(Operator What, Wide A, Int T, Wide Amount, bool &Undefined) {
  if (Amount < 0 || Amount >= traits(T).Bits) {
    Undefined = true;
    return 0;
  }
  if (What == Operator::ShiftRight)
    return A >> int(Amount);
  return wrapped(Wide((unsigned __int128)(A) << int(Amount)), T);
}

/// Operands already converted to the common type; the exact result modulo
/// 2^128.
static Wide compute(Operator What, Wide A, Wide B, bool &Undefined) {
  using Bits = unsigned __int128;
  switch (What) {
  case Operator::Add:
    return A + B;
  case Operator::Subtract:
    return A - B;
  case Operator::Multiply:
    return Wide(Bits(A) * Bits(B));
  case Operator::And:
    return A & B;
  case Operator::Or:
    return A | B;
  case Operator::Xor:
    return A ^ B;
  default:
    Undefined |= B == 0;
    if (B == 0)
      return 0;
    return What == Operator::Divide ? A / B : A % B;
  }
}

Wide apply(Operator What, Wide A, Int TypeA, Wide B, Int TypeB,
           bool &Undefined) {
  if (isShift(What))
    return shift(What, A, promoted(TypeA), B, Undefined);
  Int T = common(TypeA, TypeB);
  A = wrapped(A, T);
  B = wrapped(B, T);
  if (isComparison(What))
    return compare(What, A, B);
  Wide Exact = compute(What, A, B, Undefined);
  bool Overflows = traits(T).Signed && !fits(Exact, T);
  // The quotient of the smallest number by -1; its remainder is as bad.
  if (What == Operator::Remainder && B == -1 && traits(T).Signed)
    Overflows = !fits(-A, T);
  Undefined |= Overflows;
  return wrapped(Exact, T);
}

} // namespace blockmaestro::soundness
