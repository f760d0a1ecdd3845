// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Idioms.h"

namespace blockmaestro::soundness {

using enum Operator;

// Division and bits.

Statements divided(Generator &G) {
  Statements S;
  Int T = G.indexType();
  unsigned I = G.declare(S, G.linear(G.pick(G.Axes), T), T);
  Node By = G.positive();
  Node Quotient = bin(Divide, G.local(I), By);
  Node Rest = bin(Remainder, G.local(I), By);
  constexpr unsigned Shapes = 5;
  switch (G.pick(Shapes)) {
  case 0:
    append(S, G.inner(Quotient));
    break;
  case 1:
    append(S, G.inner(Rest));
    break;
  case 2:
    append(S, G.inner(plus(times(Quotient, G.someScalar(Role::Small)), Rest)));
    break;
  case 3:
    append(S, G.inner(plus(times(Rest, num(1 + G.pick(6))), Quotient)));
    break;
  default:
    S.push_back(when(bin(Equal, Rest, num(0)), G.inner(Quotient)));
  }
  return S;
}

Statements shifted(Generator &G) {
  Statements S;
  Int T = G.indexType();
  unsigned I = G.declare(S, G.linear(0, T), T);
  Node X = G.chance(70) ? G.local(I) : G.affine(2);
  Node By = G.chance(70) ? num(1 + G.pick(5)) : G.someScalar(Role::Shift);
  switch (G.pick(6)) {
  case 0:
    append(S, G.inner(bin(ShiftRight, X, By)));
    break;
  case 1:
    append(S, G.inner(bin(ShiftLeft, X, By)));
    break;
  case 2:
    append(S, G.inner(bin(ShiftLeft, bin(ShiftRight, X, By), By)));
    break;
  case 3:
    append(S, G.inner(times(X, bin(ShiftLeft, num(1), By))));
    break;
  case 4:
    append(S, G.inner(bin(And, X, minus(bin(ShiftLeft, num(1), By), num(1)))));
    break;
  default:
    append(S, G.inner(plus(bin(ShiftRight, X, By), times(X, num(2)))));
  }
  return S;
}

Statements masked(Generator &G) {
  Statements S;
  Int T = G.indexType();
  unsigned I = G.declare(S, G.linear(0, T), T);
  int64_t Mask = (int64_t(1) << (1 + G.pick(6))) - 1;
  Node X = G.chance(60) ? G.local(I) : G.affine(2);
  switch (G.pick(6)) {
  case 0:
    append(S, G.inner(bin(And, X, num(Mask))));
    break;
  case 1:
    append(S, G.inner(bin(And, X, node(Op::Complement, {num(Mask)}))));
    break;
  case 2:
    append(S, G.inner(bin(Xor, X, num(1 << G.pick(5)))));
    break;
  case 3:
    append(S, G.inner(bin(Or, X, num(1 + G.pick(8)))));
    break;
  case 4:
    append(S, G.inner(bin(And, X, num(G.pick(100)))));
    break;
  default:
    S.push_back(
        when(bin(Equal, bin(And, X, num(Mask)), num(0)), G.inner(G.local(I))));
  }
  return S;
}

/// What divides or masks and may be below zero.
static Node signedNumber(Generator &G) {
  switch (G.pick(6)) {
  case 0:
    return num(-1 - int64_t(G.pick(8)));
  case 1:
    return G.typed(node(Op::Negate, {G.someScalar(Role::Small)}));
  case 2:
    return minus(cast(Int::I32, G.someScalar(Role::Small)), num(1 + G.pick(9)));
  default:
    return G.someScalar(Role::Signed);
  }
}

static Node numberAs(const Node &X, int64_t Value) {
  return num(int64_t(wrapped(Value, promoted(X.Type))), promoted(X.Type));
}

/// X or what is made of it in one more step.
static Node further(Generator &G, Node X) {
  switch (G.pick(9)) {
  case 0:
    return bin(ShiftRight, X, num(1 + G.pick(12)));
  case 1:
    return bin(Divide, X, G.chance(60) ? num(2 + G.pick(4)) : signedNumber(G));
  case 2:
    return bin(Remainder, X, num(2 + G.pick(4)));
  case 3:
    return extreme(Op::Minimum, X, numberAs(X, int64_t(G.pick(20)) - 8));
  case 4:
    return extreme(Op::Maximum, X, numberAs(X, int64_t(G.pick(20)) - 12));
  default:
    return X;
  }
}

/// X compared with a small number of either sign, mostly with 0.
static Node asked(Generator &G, Node X) {
  constexpr Operator Tests[] = {Less,         Less,  LessEqual, Greater,
                                GreaterEqual, Equal, NotEqual};
  if (G.chance(50))
    return bin(G.chance(65) ? Less : GreaterEqual, std::move(X), num(0));
  Node With = G.chance(60)   ? num(int64_t(G.pick(9)) - 4)
              : G.chance(50) ? G.someScalar(Role::Any)
                             : G.someLocal();
  return bin(Tests[G.pick(7)], std::move(X), std::move(With));
}

static Node signedOperand(Generator &G, Int T, unsigned I) {
  switch (G.pick(8)) {
  case 0:
    return G.typed(node(Op::Negate, {G.local(I)}));
  case 1:
    return minus(G.local(I), cast(T, G.someScalar(Role::Size)));
  case 2:
    return cast(T, G.affine(2));
  case 3:
  case 4:
    return minus(G.local(I), num(1 + G.pick(20)));
  default:
    return G.local(I);
  }
}

/// Signed quotients and remainders whose sides may both be negative.
Statements signedDivided(Generator &G) {
  Statements S;
  Int T = G.chance(75) ? Int::I32 : Int::I64;
  const unsigned Axis = G.pick(G.Axes);
  Node Thread = G.chance(50) ? cast(T, reg(0, Axis)) : G.linear(Axis, T);
  unsigned I = G.declare(S, Thread, T);
  Node X = signedOperand(G, T, I), By = signedNumber(G);
  Node Quotient = bin(Divide, X, By), Rest = bin(Remainder, X, By);
  Node One = further(G, G.chance(65) ? Quotient : Rest);
  if (G.chance(30))
    One = G.local(G.declare(S, One, T));
  switch (G.pick(7)) {
  case 0:
  case 1:
    append(S, G.inner(One));
    break;
  case 2:
    S.push_back(when(asked(G, One), G.inner(G.local(I))));
    break;
  case 3:
    S.push_back(when(asked(G, One), G.inner(further(G, One))));
    break;
  case 4:
    S.push_back(when(bin(G.chance(60) ? Less : GreaterEqual, By, num(0)),
                     G.inner(One)));
    break;
  case 5:
    append(S, G.inner(G.chance(50) ? minus(X, times(Quotient, By))
                                   : plus(times(Quotient, By), Rest)));
    break;
  default:
    S.push_back(when(bin(Equal, Rest, num(0)), G.inner(Quotient)));
  }
  return S;
}

/// Bits of what may be negative, of arguments and of what is read.
Statements signedMasked(Generator &G) {
  Statements S;
  Int T = G.chance(70) ? Int::I32 : G.indexType();
  unsigned I = G.declare(S, G.linear(0, T), T);
  Node X =
      G.chance(50) ? looked(G, table(G), G.local(I)) : signedOperand(G, T, I);
  Node Mask = G.chance(80) ? signedNumber(G) : looked(G, table(G), G.local(I));
  constexpr Operator Likely[] = {And, And, And, Or, Xor};
  Node One = further(G, bin(Likely[G.pick(5)], X, Mask));
  if (G.chance(30))
    One = G.local(G.declare(S, One, T));
  switch (G.pick(4)) {
  case 0:
    append(S, G.inner(One));
    break;
  case 1:
    S.push_back(when(bin(G.chance(70) ? Less : GreaterEqual, Mask, num(0)),
                     G.inner(further(G, One))));
    break;
  case 2:
    S.push_back(when(asked(G, One), G.inner(further(G, One))));
    break;
  default:
    S.push_back(when(asked(G, One), G.inner(G.local(I))));
  }
  return S;
}

/// 1 shifted by as much as its type allows, and masks made of it.
Statements highPowers(Generator &G) {
  constexpr Int Likely[] = {Int::U64, Int::U64, Int::U64, Int::U32, Int::I64};
  Statements S;
  Int T = Likely[G.pick(5)];
  const unsigned Bits = traits(T).Bits;
  unsigned I = G.declare(S, G.linear(0, G.indexType()), G.indexType());
  Node By = G.chance(75) ? G.someScalar(Role::Width) : G.local(I);
  if (Bits == 32 || G.chance(20) || By.What == Op::Local)
    By = bin(And, By, num(Bits - 1));
  Node Power = bin(ShiftLeft, num(1, T), By), Mask = minus(Power, num(1));
  Node X = G.chance(30)   ? Power
           : G.chance(60) ? Mask
                          : G.typed(node(Op::Complement, {Mask}));
  switch (G.pick(6)) {
  case 0:
  case 1:
    append(S, G.inner(bin(ShiftRight, X, num(Bits - 1 - G.pick(3)))));
    break;
  case 2:
    append(S, G.inner(bin(And, G.local(I), X)));
    break;
  case 3:
    append(S, G.inner(extreme(Op::Minimum, X, num(1 + G.pick(20), T))));
    break;
  case 4:
    S.push_back(when(asked(G, bin(ShiftRight, X, num(G.pick(Bits)))),
                     G.inner(G.local(I))));
    break;
  default:
    S.push_back(
        when(bin(G.chance(60) ? Less : GreaterEqual, G.local(I), X),
             G.inner(G.chance(60) ? G.local(I) : bin(And, X, num(31)))));
  }
  return S;
}

/// A linear block or thread number taken apart into coordinates.
Statements split(Generator &G) {
  Statements S;
  Int T = G.indexType();
  Node Width = G.chance(60) ? G.someScalar(Role::Small) : num(1 + G.pick(8));
  Node From = G.chance(50) ? reg(1, 0) : G.linear(0, T);
  unsigned B = G.declare(S, From, T);
  unsigned X = G.declare(S, bin(Remainder, G.local(B), Width), T);
  unsigned Y = G.declare(S, bin(Divide, G.local(B), Width), T);
  Node Row = G.local(Y), Column = G.local(X);
  if (G.chance(50)) {
    Row = plus(times(Row, reg(2, 1)), reg(0, 1));
    Column = plus(times(Column, reg(2, 0)), reg(0, 0));
  }
  append(S, G.inner(plus(times(Row, G.someScalar(Role::Size)), Column)));
  return S;
}

Statements warps(Generator &G) {
  Statements S;
  Int T = G.indexType();
  Node Id = G.chance(50) ? reg(0, 0) : G.linear(0, T);
  unsigned I = G.declare(S, Id, T);
  unsigned Lane = G.declare(S, bin(And, G.local(I), num(31)), T);
  unsigned Warp = G.declare(S,
                            G.chance(50) ? bin(ShiftRight, G.local(I), num(5))
                                         : bin(Divide, G.local(I), num(32)),
                            T);
  S.push_back(node(Op::Exchange));
  if (G.chance(60))
    S.push_back(
        when(bin(Equal, G.local(Lane), num(0)), G.inner(G.local(Warp))));
  else
    append(S, G.inner(plus(times(G.local(Warp), num(32)), G.local(Lane))));
  return S;
}

} // namespace blockmaestro::soundness
