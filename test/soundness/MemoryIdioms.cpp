// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Idioms.h"

namespace blockmaestro::soundness {

using enum Operator;

// Pointers.

Statements bumped(Generator &G) {
  Statements S;
  Element Of = G.dataElement();
  unsigned A = plainArray(G, Of), Q = G.newPointer(Of);
  Node Start = G.chance(50) ? G.affine(1) : reg(0, 0);
  S.push_back(G.letPointer(Q, advance(G.array(A), Start)));
  Node Step = G.chance(60)   ? num(1 + G.pick(3))
              : G.chance(50) ? reg(2, 0)
                             : G.someScalar(Role::Small);
  if (G.chance(30))
    Step = num(-1 - int64_t(G.pick(3)));
  Node Next = G.setPointer(Q, advance(G.pointer(Q), Step));
  Node To = limit(G);
  if (G.chance(30)) {
    Node End = advance(G.array(A), G.someScalar(Role::Size));
    Statements Body = {G.access(G.pointer(Q)), Next};
    S.push_back(node(Op::While, {truth(Op::Before, {G.pointer(Q), End}),
                                 sequence(std::move(Body))}));
    return S;
  }
  unsigned C = G.newLocal(G.indexType());
  Statements Body = {G.access(G.pointer(Q)), Next};
  if (G.chance(20))
    Body.insert(Body.begin(), G.access(advance(G.pointer(Q), num(1))));
  S.push_back(G.loop(C, num(0), less(G.local(C), To), plus(G.local(C), num(1)),
                     std::move(Body)));
  return S;
}

Statements pointerChosen(Generator &G) {
  Statements S;
  Element Of = G.dataElement();
  Node A = G.array(plainArray(G, Of)), B = G.array(plainArray(G, Of));
  if (G.chance(30))
    B = advance(A, G.affine(1));
  Node Condition = G.condition(1);
  unsigned Q = G.newPointer(Of);
  if (G.chance(50)) {
    S.push_back(G.letPointer(Q, either(Condition, A, B)));
  } else {
    S.push_back(G.letPointer(Q, A));
    S.push_back(when(Condition, {G.setPointer(Q, B)}));
  }
  S.push_back(G.access(advance(G.pointer(Q), G.affine(2))));
  return S;
}

/// A pointer moved under a condition, in a loop or not.
Statements pointerMoved(Generator &G) {
  Statements S;
  Element Of = G.dataElement();
  unsigned Q = G.newPointer(Of);
  S.push_back(G.letPointer(Q, G.array(plainArray(G, Of))));
  Node Move = G.setPointer(Q, advance(G.pointer(Q), G.affine(1)));
  Node Access = G.access(advance(G.pointer(Q), G.affine(1)));
  Node Test = G.condition(1);
  if (G.chance(50)) {
    S.push_back(when(Test, {Move}));
    S.push_back(Access);
    return S;
  }
  unsigned C = G.newLocal(Int::I32);
  S.push_back(G.loop(C, num(0), less(G.local(C), limit(G)),
                     plus(G.local(C), num(1)),
                     {Access, when(Test, {Move}), Access}));
  return S;
}

/// Two pointers that change places in a loop.
Statements pingPong(Generator &G) {
  Statements S;
  Element Of = G.dataElement();
  unsigned P = G.newPointer(Of), Q = G.newPointer(Of), Kept = G.newPointer(Of);
  S.push_back(G.letPointer(P, G.array(plainArray(G, Of))));
  S.push_back(G.letPointer(Q, G.array(plainArray(G, Of))));
  unsigned C = G.newLocal(Int::I32);
  Node To = limit(G), Index = G.affine(1);
  Statements Body = {
      G.access(advance(G.pointer(P), Index)),
      G.access(advance(G.pointer(Q), Index)), G.letPointer(Kept, G.pointer(P)),
      G.setPointer(P, G.pointer(Q)), G.setPointer(Q, G.pointer(Kept))};
  S.push_back(G.loop(C, num(0), less(G.local(C), To), plus(G.local(C), num(1)),
                     std::move(Body)));
  return S;
}

Statements vectors(Generator &G) {
  Node Index = G.affine(2);
  switch (G.pick(4)) {
  case 0: {
    Node Quads =
        retyped(Element::Float4, G.array(plainArray(G, Element::Float)));
    return {G.access(advance(Quads, Index))};
  }
  case 1: {
    Node Triples = G.array(plainArray(G, Element::Triple));
    return {G.access(field(advance(Triples, Index), G.pick(3)))};
  }
  case 2: {
    Node Chars = retyped(Element::I8, G.array(plainArray(G, Element::I32)));
    Node Words = retyped(Element::I32, advance(Chars, times(Index, num(4))));
    return {G.access(Words)};
  }
  default:
    return {G.access(advance(G.array(plainArray(G, Element::Float4)), Index))};
  }
}

Statements blocksOfMemory(Generator &G) {
  Element Of = G.dataElement();
  Node To = advance(G.array(plainArray(G, Of)), G.affine(1));
  Node From = advance(G.array(plainArray(G, Of)), G.affine(1));
  Node Size = G.chance(50)   ? num(G.pick(40))
              : G.chance(60) ? times(G.someScalar(Role::Small), num(4))
                             : times(reg(0, 0), num(4));
  if (G.chance(40))
    return {node(Op::Fill, {To, Size})};
  return {node(Op::Copy, {To, From, Size})};
}

Statements atomics(Generator &G) {
  constexpr Element Likely[] = {Element::I32, Element::U32, Element::U64,
                                Element::Float};
  Element Of = Likely[G.pick(4)];
  Node N = node(Op::Atomic, {advance(G.array(plainArray(G, Of)), G.affine(2))});
  N.Value = Of == Element::Float ? 0 : G.pick(4);
  return {N};
}

/// A place taken by an atomic addition.
Statements appended(Generator &G) {
  Statements S;
  Node Counter = advance(G.array(plainArray(G, Element::I32)), G.atom());
  Node Fetch = node(Op::Fetch, {Counter, num(1)});
  Fetch.Type = Int::I32;
  unsigned V = G.declare(S, Fetch, Int::I32);
  if (G.chance(60))
    S.push_back(when(less(cast(Int::U32, G.local(V)), G.someScalar(Role::Size)),
                     {G.at(G.local(V))}));
  else
    S.push_back(G.at(G.local(V)));
  G.Visible.pop_back();
  return S;
}

// Indices from memory.

Statements indirect(Generator &G) {
  Statements S;
  unsigned T = table(G);
  unsigned I = G.declare(S, G.linear(0, Int::I32), Int::I32);
  Node Looked = looked(G, T, G.local(I));
  Node N = G.someScalar(Role::Size);
  Int Type = G.indexType();
  switch (G.pick(7)) {
  case 0:
    append(S, G.inner(Looked));
    break;
  case 1:
    append(S, G.inner(bin(And, Looked, num((2 << G.pick(6)) - 1))));
    break;
  case 2:
    append(S, G.inner(extreme(Op::Minimum, Looked, minus(N, num(1)))));
    break;
  case 3:
    append(S, G.inner(extreme(Op::Maximum,
                              extreme(Op::Minimum, Looked, minus(N, num(1))),
                              num(0))));
    break;
  case 4:
    append(S, G.inner(bin(Remainder, Looked, G.positive())));
    break;
  default: {
    unsigned V = G.declare(S, Looked, Type);
    Node Test = less(G.local(V), N);
    if (G.chance(50))
      Test = truth(Op::AndAlso, {bin(GreaterEqual, G.local(V), num(0)), Test});
    Scope Inside(G);
    Node Index = G.local(V);
    if (G.chance(40))
      Index = plus(times(Index, num(1 + G.pick(4))), reg(0, 0));
    S.push_back(when(Test, G.inner(Index)));
  }
  }
  return S;
}

Statements sparseRow(Generator &G) {
  Statements S;
  unsigned T = table(G);
  Int Type = G.chance(70) ? Int::I32 : G.indexType();
  unsigned I = G.declare(S, G.linear(0, Int::I32), Int::I32);
  Node From = looked(G, T, G.local(I));
  Node To = looked(G, T, plus(G.local(I), num(1)));
  unsigned J = G.newLocal(Type);
  Statements Body = {G.at(G.local(J))};
  if (G.chance(50))
    Body = {G.at(looked(G, table(G), G.local(J)))};
  Node Loop = G.loop(J, From, less(G.local(J), To), plus(G.local(J), num(1)),
                     std::move(Body));
  if (G.chance(70))
    S.push_back(
        when(less(G.local(I), G.someScalar(Role::Size)), {std::move(Loop)}));
  else
    S.push_back(std::move(Loop));
  return S;
}

Statements flagged(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, Int::I32), Int::I32);
  Node Flag = bin(G.chance(50) ? NotEqual : Less,
                  looked(G, table(G), G.local(I)), num(G.pick(8)));
  Scope Inside(G);
  S.push_back(when(Flag, G.inner(G.local(I))));
  return S;
}

// Functions.

/// A function of a pointer and an integer, made by Body from both.
template <typename Make>
static unsigned function(Generator &G, Element Of, bool NoInline, Make Body) {
  Function F;
  F.NoInline = NoInline;
  unsigned Q = G.newPointer(Of), V = G.newLocal(Int::I32);
  F.Parameters = {{true, Q}, {false, V}};
  Scope Inside(G);
  bool Was = std::exchange(G.InFunction, true);
  G.Visible = {V};
  F.Body = sequence(Body(Q, V));
  G.InFunction = Was;
  return G.newFunction(std::move(F));
}

static Node callOf(unsigned Id, Statements Arguments) {
  Node N = node(Op::Call, std::move(Arguments));
  N.Id = Id;
  return N;
}

Statements called(Generator &G) {
  Element Of = G.dataElement();
  unsigned Id = function(G, Of, G.chance(60), [&](unsigned Q, unsigned V) {
    Statements S;
    Node Access = G.access(advance(G.pointer(Q), G.affine(1)));
    if (G.chance(50))
      S.push_back(when(less(G.local(V), num(G.pick(20))), {Access}));
    else
      S.push_back(Access);
    return S;
  });
  Node P = G.array(plainArray(G, Of));
  if (G.chance(70))
    P = advance(P, G.affine(1));
  return {callOf(Id, {P, G.affine(2)})};
}

Statements recursive(Generator &G) {
  Element Of = G.dataElement();
  unsigned Own = G.K.Functions.size();
  function(G, Of, G.chance(50), [&](unsigned Q, unsigned V) {
    Statements S;
    S.push_back(when(bin(LessEqual, G.local(V), num(0)), {node(Op::Return)}));
    S.push_back(G.access(advance(G.pointer(Q), G.local(V))));
    S.push_back(callOf(
        Own, {G.chance(50) ? G.pointer(Q) : advance(G.pointer(Q), num(2)),
              minus(G.local(V), num(1 + G.pick(2)))}));
    return S;
  });
  Node Count = bin(Remainder, G.affine(1), num(5));
  return {
      callOf(Own, {advance(G.array(plainArray(G, Of)), G.affine(1)), Count})};
}

Statements calledVia(Generator &G) {
  Element Of = G.dataElement();
  auto Make = [&] {
    return function(G, Of, true, [&](unsigned Q, unsigned) {
      return Statements{G.access(advance(G.pointer(Q), G.affine(1)))};
    });
  };
  unsigned First = Make(), Second = Make();
  Node N = node(Op::CallVia,
                {G.condition(1), G.array(plainArray(G, Of)), G.affine(1)});
  N.Id = First;
  N.Value = Second;
  return {N};
}

/// An index computed by a function.
Statements computed(Generator &G) {
  Function F;
  F.Integer = true;
  F.NoInline = G.chance(50);
  unsigned V = G.newLocal(Int::I32);
  F.Parameters = {{false, V}};
  {
    Scope Inside(G);
    bool Was = std::exchange(G.InFunction, true);
    G.Visible = {V};
    F.Body = sequence({node(Op::ReturnInteger,
                            {G.chance(50) ? G.affine(2) : G.anything(2)})});
    G.InFunction = Was;
  }
  unsigned Id = G.newFunction(std::move(F));
  Node Call = node(Op::CallInteger, {G.affine(1)});
  Call.Id = Id;
  return G.inner(Call);
}

/// Shared and local arrays between accesses.
Statements staged(Generator &G) {
  Statements S = G.inner(G.affine(1));
  S.push_back(node(G.chance(50) ? Op::Stage : Op::Scratch, {G.atom()}));
  append(S, G.inner(G.affine(1)));
  return S;
}

} // namespace blockmaestro::soundness
