// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Idioms.h"

#include <functional>
#include <optional>

namespace blockmaestro::soundness {

using enum Operator;

// Loops.

Statements gridStride(Generator &G) {
  Int T = G.indexType();
  unsigned I = G.newLocal(T);
  Node Step = G.chance(70)   ? times(reg(2, 0), reg(3, 0))
              : G.chance(50) ? reg(2, 0)
                             : G.someScalar(Role::Small);
  Node From = G.chance(70) ? G.linear(0, T) : reg(0, 0);
  Node To = G.someScalar(Role::Size);
  Scope Inside(G);
  G.Visible.push_back(I);
  ++G.Loops;
  return {G.loop(I, From, less(G.local(I), To), plus(G.local(I), Step),
                 G.inner(G.local(I)))};
}

Statements counted(Generator &G) {
  Int T = G.indexType();
  Node To = limit(G);
  Node From = G.chance(60) ? num(0) : G.chance(60) ? num(G.pick(4)) : G.atom();
  unsigned C = G.newLocal(T);
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  int64_t Step = G.chance(70) ? 1 : 1 + G.pick(4);
  constexpr Operator Tests[] = {Less, Less, Less, LessEqual, NotEqual};
  Operator Test = Tests[G.pick(Step == 1 ? 5 : 4)];
  return {G.loop(C, From, bin(Test, G.local(C), To),
                 plus(G.local(C), num(Step)), body(G, C))};
}

Statements decreasing(Generator &G) {
  Int T = G.chance(70) ? Int::I32 : G.indexType();
  Node From = minus(limit(G), num(1));
  unsigned C = G.newLocal(T);
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  Node Test = traits(T).Signed ? bin(GreaterEqual, G.local(C), num(0))
                               : bin(Greater, G.local(C), num(0));
  if (G.chance(20))
    Test = bin(Greater, G.local(C), num(1));
  return {
      G.loop(C, From, Test, minus(G.local(C), num(1 + G.pick(2))), body(G, C))};
}

/// Two loops, the inner one's bounds made of the outer counter or the thread.
Statements triangular(Generator &G) {
  Int T = G.chance(70) ? Int::I32 : G.indexType();
  Node To = limit(G);
  unsigned I = G.newLocal(T), J = G.newLocal(T);
  Node Outer = G.chance(50) ? reg(0, 0) : plus(reg(1, 0), num(1));
  if (G.chance(70))
    Outer = G.local(I);
  Scope Inside(G);
  G.Visible.push_back(I);
  G.Visible.push_back(J);
  G.Loops += 2;
  Node Width = G.someScalar(Role::Small);
  Statements Body = G.inner(plus(times(G.local(I), Width), G.local(J)));
  Node Inner =
      G.chance(50)
          ? G.loop(J, num(0),
                   bin(G.chance(50) ? Less : LessEqual, G.local(J), Outer),
                   plus(G.local(J), num(1)), std::move(Body))
          : G.loop(J, plus(Outer, num(1)), less(G.local(J), To),
                   plus(G.local(J), num(1)), std::move(Body));
  return {G.loop(I, num(0), less(G.local(I), To), plus(G.local(I), num(1)),
                 {std::move(Inner)})};
}

/// The least or the greatest of two or three, or a sum of such.
static Node leastOf(Generator &G, Op Which) {
  auto One = [&] {
    return G.chance(60) ? limit(G)
                        : minus(G.someScalar(Role::Size),
                                times(G.atom(), num(1 + G.pick(4), Int::I32)));
  };
  Node Least = extreme(Which, One(), One());
  if (G.chance(20))
    Least = extreme(Which, Least, One());
  return Least;
}

/// Loops that end at a minimum or begin at a maximum, and the other way round.
Statements minimum(Generator &G) {
  Int T = G.chance(70) ? Int::I32 : G.indexType();
  bool Down = G.chance(25);
  Node To = leastOf(G, Down ? Op::Maximum : Op::Minimum);
  if (G.chance(20))
    To = minus(plus(To, leastOf(G, Down ? Op::Maximum : Op::Minimum)), num(1));
  Node From = Down           ? minus(limit(G), num(1))
              : G.chance(50) ? num(0)
              : G.chance(50) ? G.atom()
                             : leastOf(G, Op::Maximum);
  unsigned C = G.newLocal(T);
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  Node Step = G.chance(60)   ? num(1)
              : G.chance(50) ? num(2 + G.pick(3))
                             : reg(2, 0);
  Operator Test = Down                       ? Greater
                  : G.chance(75)             ? Less
                  : G.chance(50) || G.Affine ? LessEqual
                                             : NotEqual;
  return {G.loop(C, From, bin(Test, G.local(C), To),
                 Down ? minus(G.local(C), Step) : plus(G.local(C), Step),
                 body(G, C))};
}

/// A loop that begins, and may end, at a number chosen by a condition.
Statements chosenStart(Generator &G) {
  Int T = G.chance(70) ? Int::I32 : G.indexType();
  auto Either = [&](Node A, Node B) {
    return choose(G.condition(1), std::move(A), std::move(B));
  };
  Node From = Either(num(G.pick(3)), G.chance(70) ? num(G.pick(3)) : G.atom());
  Node To = G.chance(60) ? limit(G) : Either(limit(G), limit(G));
  unsigned C = G.newLocal(T);
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  return {G.loop(C, From, less(G.local(C), To),
                 plus(G.local(C), num(1 + G.pick(3))), body(G, C))};
}

/// A condition that is asked before a loop and again inside of it.
Statements askedTwice(Generator &G) {
  Statements S;
  Node Asked = G.condition(1);
  if (G.chance(70))
    S.push_back(when(Asked, G.inner(G.affine(1))));
  Node To = limit(G);
  unsigned C = G.newLocal(Int::I32);
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  Statements Body{when(Asked, body(G, C))};
  if (G.chance(50))
    append(Body, body(G, C));
  S.push_back(G.loop(C, num(0), less(G.local(C), To), plus(G.local(C), num(1)),
                     std::move(Body)));
  return S;
}

Statements whiles(Generator &G) {
  Statements S;
  Int T = G.indexType();
  Node To = limit(G);
  std::optional<Scope> Outside;
  if (G.Affine)
    Outside.emplace(G);
  unsigned V = G.declare(S, G.chance(60) ? num(0) : reg(0, 0), T);
  Node Next = G.set(V, plus(G.local(V), G.chance(60) ? num(1) : reg(2, 0)));
  Scope Inside(G);
  ++G.Loops;
  Statements Body = body(G, V);
  Body.push_back(Next);
  Node Test = less(G.local(V), To);
  if (G.chance(50) || G.Affine)
    S.push_back(node(Op::While, {Test, sequence(std::move(Body))}));
  else
    S.push_back(node(Op::DoWhile, {sequence(std::move(Body)), Test}));
  return S;
}

/// A variable that changes from one iteration to the next, beside the counter.
Statements carried(Generator &G) {
  Statements S;
  Int T = G.indexType();
  unsigned V = G.declare(S, G.chance(50) ? num(G.pick(4)) : G.atom(), T);
  unsigned C = G.newLocal(Int::I32);
  Node To = limit(G);
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  Node Next = G.local(V);
  switch (G.pick(6)) {
  case 0:
    Next = plus(Next, G.local(C));
    break;
  case 1:
    Next = plus(times(Next, num(2)), num(1));
    break;
  case 2:
    Next = bin(Remainder, plus(Next, num(1 + G.pick(3))), G.positive());
    break;
  case 3:
    Next = bin(Xor, Next, num(1 + G.pick(7)));
    break;
  case 4:
    Next = choose(G.condition(1), plus(Next, num(1)), Next);
    break;
  default:
    Next = plus(Next, G.affine(1));
  }
  Statements Body = G.inner(plus(G.local(V), G.affine(1)));
  Node Change = G.set(V, Next);
  if (G.chance(30))
    Change = when(G.condition(1), {Change});
  Body.insert(G.chance(50) ? Body.begin() : Body.end(), Change);
  S.push_back(G.loop(C, num(0), less(G.local(C), To), plus(G.local(C), num(1)),
                     std::move(Body)));
  if (G.chance(40))
    S.push_back(G.at(G.local(V)));
  return S;
}

/// What the counter of a loop decides, alone or nearly so.
static Node ofCounter(Generator &G, unsigned C) {
  constexpr Operator Tests[] = {Less,         Less,  LessEqual, Greater,
                                GreaterEqual, Equal, NotEqual};
  auto Side = [&] {
    return G.chance(50)   ? num(G.pick(7))
           : G.chance(50) ? G.someScalar(Role::Small)
                          : G.atom();
  };
  Node One =
      bin(Tests[G.pick(7)],
          G.chance(85) ? G.local(C) : plus(G.local(C), G.atom()), Side());
  if (G.chance(15))
    One = bin(Equal, bin(Remainder, G.local(C), num(2 + G.pick(3))),
              num(G.pick(2)));
  if (G.chance(15))
    One = truth(G.chance(50) ? Op::AndAlso : Op::OrElse,
                {One, bin(Less, G.local(C), Side())});
  return One;
}

/// One iteration that sets V where the counter C is as asked.
static Statements settingBody(Generator &G, unsigned V, unsigned C,
                              const std::function<Node()> &Value) {
  auto Set = [&] {
    Statements S = {G.set(V, G.chance(30) ? G.local(C) : Value())};
    if (G.chance(50))
      S.push_back(G.at(G.affine(1)));
    return S;
  };
  Node Asked = ofCounter(G, C);
  Statements Body;
  if (G.chance(15))
    Body.push_back(G.at(plus(G.local(V), G.local(C))));
  switch (G.pick(8)) {
  case 0:
  case 1:
    Body.push_back(when(Asked, Set()));
    break;
  case 2:
  case 3:
    Body.push_back(when(Asked, Set(), Set()));
    break;
  case 4:
    Body.push_back(when(Asked, Set(), {when(ofCounter(G, C), Set())}));
    break;
  case 5: {
    Statements Found = Set();
    Found.push_back(node(Op::Break));
    Body.push_back(when(Asked, std::move(Found)));
    break;
  }
  case 6:
    Body.push_back(when(Asked, {node(Op::Continue)}));
    append(Body, Set());
    break;
  default:
    Body.push_back(G.set(V, choose(Asked, Value(), Value())));
    if (G.chance(30))
      Body.push_back(when(ofCounter(G, C), {node(Op::Break)}));
  }
  if (G.chance(30))
    Body.push_back(G.at(plus(G.local(V), G.affine(1))));
  return Body;
}

/// Uses of a variable behind the loop that sets it.
static Statements usedBehind(Generator &G, unsigned V) {
  switch (G.pick(7)) {
  case 0:
  case 1:
    return {G.at(G.local(V))};
  case 2:
    return G.inner(plus(G.local(V), G.linear(0, Int::I32)));
  case 3: {
    Node Asked = G.chance(50) ? bin(G.chance(50) ? Equal : NotEqual, G.local(V),
                                    num(G.pick(3)))
                              : less(G.local(V), G.atom());
    Scope Inside(G);
    Statements Then = G.inner(G.linear(0, Int::I32)), Else;
    if (G.chance(40))
      Else.push_back(G.at(G.affine(1)));
    return {when(Asked, std::move(Then), std::move(Else))};
  }
  case 4: {
    unsigned D = G.newLocal(Int::I32);
    Scope Inside(G);
    G.Visible.push_back(D);
    ++G.Loops;
    return {G.loop(D, num(0), less(G.local(D), G.local(V)),
                   plus(G.local(D), num(1)), body(G, D))};
  }
  default:
    return G.inner(G.local(V));
  }
}

/// A loop that sets V, for some of its iterations.
static Statements settingLoop(Generator &G, unsigned V,
                              const std::function<Node()> &Value) {
  unsigned C = G.newLocal(G.chance(80) ? Int::I32 : G.indexType());
  Node From = G.chance(70) ? num(0) : G.chance(50) ? num(G.pick(4)) : G.atom();
  Node To = G.chance(50)   ? limit(G)
            : G.chance(50) ? G.someScalar(Role::Any)
                           : minus(cast(Int::I32, G.someScalar(Role::Small)),
                                   num(1 + G.pick(5)));
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  Node Test = less(G.local(C), To), Next = plus(G.local(C), num(1));
  Statements Body = settingBody(G, V, C, Value);
  if (G.chance(75))
    return {G.loop(C, From, Test, Next, std::move(Body))};
  Body.insert(Body.begin(), G.set(C, Next));
  Node Loop = G.chance(50)
                  ? node(Op::DoWhile, {sequence(std::move(Body)), Test})
                  : node(Op::While, {Test, sequence(std::move(Body))});
  return {G.let(C, From), std::move(Loop)};
}

/// A variable that some iterations set, or none, used behind the loop.
Statements setInLoop(Generator &G) {
  Statements S;
  Int T = G.chance(70) ? Int::I32 : G.indexType();
  const bool Flag = G.chance(25);
  auto Value = [&] {
    if (Flag)
      return G.chance(60) ? num(G.pick(2)) : G.condition(1);
    return G.chance(60) ? num(int64_t(G.pick(14)) - 2) : G.affine(1);
  };
  unsigned V = G.declare(S, Value(), T);
  if (G.chance(80)) {
    append(S, settingLoop(G, V, Value));
  } else {
    unsigned D = G.newLocal(Int::I32);
    Node To = limit(G);
    Statements Body;
    Scope Inside(G);
    G.Visible.push_back(D);
    ++G.Loops;
    if (G.chance(40))
      Body.push_back(G.set(V, Value()));
    append(Body, settingLoop(G, V, Value));
    if (G.chance(40))
      Body.push_back(G.at(G.local(V)));
    S.push_back(G.loop(D, num(0), less(G.local(D), To),
                       plus(G.local(D), num(1)), std::move(Body)));
  }
  append(S, usedBehind(G, V));
  return S;
}

/// A number that shrinks, by shifts or quotients, from what may be negative.
Statements shrunk(Generator &G) {
  Statements S;
  Int T = G.chance(75) ? Int::I32 : G.indexType();
  Node From = G.chance(50)   ? minus(G.linear(0, T), G.someScalar(Role::Size))
              : G.chance(50) ? minus(reg(0, 0), num(1 + G.pick(40)))
                             : G.someScalar(Role::Any);
  unsigned V = G.declare(S, From, T);
  Node Next = bin(ShiftRight, G.local(V), num(1 + G.pick(2)));
  if (G.chance(35))
    Next = bin(Divide, G.local(V),
               G.chance(60) ? num(2 + G.pick(3)) : G.someScalar(Role::Signed));
  Node Index = G.local(V);
  if (G.chance(60))
    Index = G.chance(75)
                ? extreme(Op::Minimum, Index, num(G.pick(12)))
                : extreme(Op::Maximum, Index, num(int64_t(G.pick(8)) - 8));
  Scope Inside(G);
  ++G.Loops;
  Statements Body =
      G.chance(70) ? Statements{G.at(Index)} : G.inner(plus(Index, G.atom()));
  Body.push_back(G.set(V, Next));
  constexpr Operator Tests[] = {Greater, Less, NotEqual};
  switch (G.pick(4)) {
  case 0:
  case 1: {
    unsigned C = G.newLocal(Int::I32);
    S.push_back(G.loop(C, num(0), less(G.local(C), limit(G)),
                       plus(G.local(C), num(1)), std::move(Body)));
    break;
  }
  case 2:
    S.push_back(node(Op::DoWhile,
                     {sequence(std::move(Body)),
                      bin(Less, G.local(V), num(-1 - int64_t(G.pick(4))))}));
    break;
  default:
    S.push_back(node(Op::While, {bin(Tests[G.pick(3)], G.local(V),
                                     G.chance(70) ? num(-int64_t(G.pick(2)))
                                                  : G.someScalar(Role::Small)),
                                 sequence(std::move(Body))}));
  }
  return S;
}

/// for (unsigned i = n; i-- > 0;) and for (unsigned i = n - 1; i < n; --i)
Statements unsignedDown(Generator &G) {
  Statements S;
  Int T = G.chance(60) ? Int::U32 : Int::U64;
  Node To = cast(T, limit(G));
  if (G.chance(50)) {
    unsigned V = G.newLocal(T);
    Scope Inside(G);
    G.Visible.push_back(V);
    return {G.loop(V, minus(To, num(1)), less(G.local(V), To),
                   minus(G.local(V), num(1)), body(G, V))};
  }
  unsigned V = G.declare(S, To, T);
  Scope Inside(G);
  Statements Body = {G.set(V, minus(G.local(V), num(1)))};
  append(Body, body(G, V));
  S.push_back(node(Op::While, {bin(Greater, G.local(V), num(0)),
                               sequence(std::move(Body))}));
  return S;
}

/// A counter that the body moves as well.
Statements counterMoved(Generator &G) {
  unsigned C = G.newLocal(G.chance(70) ? Int::I32 : G.indexType());
  Node To = limit(G);
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  Statements Body = body(G, C);
  Body.push_back(
      when(G.condition(1), {G.set(C, plus(G.local(C), num(1 + G.pick(2))))}));
  if (G.chance(40))
    append(Body, body(G, C));
  return {G.loop(C, num(0), less(G.local(C), To), plus(G.local(C), num(1)),
                 std::move(Body))};
}

Statements geometric(Generator &G) {
  Int T = G.chance(60) ? Int::I32 : G.indexType();
  unsigned C = G.newLocal(T);
  Node To = G.chance(50) ? reg(2, 0) : G.someScalar(Role::Size);
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  Statements Body = {
      when(less(reg(0, 0), G.local(C)), G.inner(plus(reg(0, 0), G.local(C))))};
  if (G.chance(50))
    Body = body(G, C);
  Node Start = G.local(C);
  if (G.chance(50))
    return {G.loop(C, num(1), less(G.local(C), To), times(G.local(C), num(2)),
                   std::move(Body))};
  return {G.loop(C, bin(Divide, To, num(2)), bin(Greater, G.local(C), num(0)),
                 bin(G.chance(50) ? ShiftRight : Divide, G.local(C),
                     G.chance(50) ? num(1) : num(2)),
                 std::move(Body))};
}

/// Loops left or cut short by a condition.
Statements leftEarly(Generator &G) {
  Int T = G.chance(70) ? Int::I32 : G.indexType();
  Node To = limit(G);
  unsigned C = G.newLocal(T);
  Scope Inside(G);
  G.Visible.push_back(C);
  ++G.Loops;
  Node Condition = G.chance(30)
                       ? bin(Equal, looked(G, table(G), G.local(C)), num(3))
                       : G.condition(1);
  Node Leave = when(Condition, {node(G.chance(50)   ? Op::Break
                                     : G.chance(80) ? Op::Continue
                                                    : Op::Return)});
  Statements Body;
  if (G.chance(40))
    append(Body, body(G, C));
  Body.push_back(std::move(Leave));
  append(Body, body(G, C));
  return {G.loop(C, num(0), less(G.local(C), To), plus(G.local(C), num(1)),
                 std::move(Body))};
}

} // namespace blockmaestro::soundness
