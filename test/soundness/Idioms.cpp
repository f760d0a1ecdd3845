// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Idioms.h"

namespace blockmaestro::soundness {

using enum Operator;

void append(Statements &To, Statements From) {
  for (Node &Each : From)
    To.push_back(std::move(Each));
}

/// An array that may be written.
unsigned plainArray(Generator &G, Element Of) {
  unsigned Id = G.newArray(Of);
  if (G.K.Arrays[Id].Where == ArrayInfo::Constant)
    G.K.Arrays[Id].Where = ArrayInfo::Parameter;
  return Id;
}

unsigned table(Generator &G) {
  constexpr Element Likely[] = {Element::I32, Element::I32, Element::U32,
                                Element::U8,  Element::I16, Element::I64};
  return G.newArray(Likely[G.pick(6)], true);
}

Node looked(Generator &G, unsigned Table, Node Index) {
  const ArrayInfo &A = G.K.Arrays[Table];
  if (A.Where >= ArrayInfo::Device)
    Index = bin(And, Index, num(A.Length - 1));
  return load(advance(G.array(Table), std::move(Index)));
}

Node limit(Generator &G) {
  if (G.chance(50))
    return G.someScalar(Role::Small);
  return G.chance(50) ? num(1 + G.pick(6)) : G.atom();
}

Statements body(Generator &G, unsigned Counter) {
  Node Index = G.local(Counter);
  if (G.chance(60))
    Index = plus(times(G.someLocal(), G.someScalar(Role::Small)), Index);
  return G.inner(Index);
}

// Where threads are.

Statements line(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, G.indexType()), G.indexType());
  Node Index = G.local(I);
  if (G.chance(30))
    Index = plus(times(Index, num(1 + G.pick(4))), num(int64_t(G.pick(6)) - 2));
  append(S, G.inner(Index));
  return S;
}

Statements rows(Generator &G) {
  Statements S;
  Int T = G.indexType();
  unsigned X = G.declare(S, G.linear(0, T), T);
  unsigned Y = G.declare(S, G.linear(1, T), T);
  Node Width =
      G.chance(60) ? G.someScalar(Role::Size) : times(reg(2, 0), reg(3, 0));
  Node Index = plus(times(G.local(Y), Width), G.local(X));
  if (G.chance(40))
    Index = plus(times(minus(G.local(Y), num(1)), Width), G.local(X));
  if (G.chance(60))
    S.push_back(
        when(truth(Op::AndAlso, {less(G.local(X), Width),
                                 less(G.local(Y), G.someScalar(Role::Size))}),
             G.inner(Index)));
  else
    append(S, G.inner(Index));
  return S;
}

Statements volume(Generator &G) {
  Statements S;
  Int T = G.indexType();
  unsigned X = G.declare(S, G.linear(0, T), T);
  unsigned Y = G.declare(S, G.linear(1, T), T);
  unsigned Z = G.declare(S, G.linear(2, T), T);
  Node Width = G.someScalar(Role::Small), Height = G.someScalar(Role::Small);
  append(S,
         G.inner(plus(times(plus(times(G.local(Z), Height), G.local(Y)), Width),
                      G.local(X))));
  return S;
}

Statements anyIndex(Generator &G) { return G.inner(G.affine(3)); }

Statements arbitrary(Generator &G) {
  Statements S;
  if (G.chance(50))
    G.declare(S, G.anything(2), G.indexType());
  Node Index = G.anything(3);
  if (G.chance(50))
    S.push_back(when(G.condition(2), G.inner(Index)));
  else
    append(S, G.inner(Index));
  return S;
}

Statements narrow(Generator &G) {
  Statements S;
  Int Small = Int(G.pick(4));
  Node Index = G.affine(2);
  if (G.chance(50)) {
    unsigned V = G.declare(S, Index, Small);
    append(S, G.inner(G.local(V)));
  } else {
    append(S, G.inner(cast(Small, Index)));
  }
  return S;
}

/// Differences of unsigned numbers, used while they may be below zero.
Statements unsignedWrap(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, Int::U32), Int::U32);
  Node Less = minus(G.local(I), num(1 + G.pick(3), Int::U32));
  switch (G.pick(4)) {
  case 0:
    S.push_back(when(less(Less, G.someScalar(Role::Size)), {G.at(Less)}));
    break;
  case 1:
    append(S, G.inner(Less));
    break;
  case 2:
    append(S, G.inner(plus(cast(Int::I32, Less), num(8))));
    break;
  default:
    append(S, G.inner(plus(cast(Int::U64, Less), num(3))));
  }
  return S;
}

// Guards.

Statements guard(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, G.indexType()), G.indexType());
  Node Condition = G.condition(2);
  Scope Inside(G);
  Statements Then = G.inner(G.local(I)), Else;
  if (G.chance(30) && !G.Affine)
    Else = G.inner(G.affine(1));
  S.push_back(when(Condition, std::move(Then), std::move(Else)));
  return S;
}

Statements earlyReturn(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, G.indexType()), G.indexType());
  Node Condition = G.chance(60) || G.Affine
                       ? bin(GreaterEqual, G.local(I), G.someScalar(Role::Size))
                       : G.condition(2);
  Statements Then;
  if (G.chance(25))
    Then.push_back(G.at(G.local(I)));
  Then.push_back(node(Op::Return));
  S.push_back(when(Condition, std::move(Then)));
  append(S, G.inner(G.local(I)));
  return S;
}

Statements alternatives(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, G.indexType()), G.indexType());
  Node A = G.comparison(), B = G.comparison();
  Node Condition = truth(Op::OrElse, {A, B});
  if (G.chance(30))
    Condition = bin(NotEqual, G.local(I), G.affine(1));
  if (G.chance(20))
    Condition = truth(Op::OrElse, {Condition, G.condition(2)});
  Scope Inside(G);
  S.push_back(when(Condition, G.inner(G.local(I))));
  return S;
}

Statements switched(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, G.indexType()), G.indexType());
  Node On = G.chance(50)   ? bin(Remainder, G.local(I), num(2 + G.pick(3)))
            : G.chance(50) ? G.someScalar(Role::Small)
                           : G.atom();
  Node Switch = node(Op::Switch, {On});
  bool Sets = G.chance(40);
  Int T = G.indexType();
  unsigned V = Sets ? G.declare(S, num(0), T) : 0;
  for (unsigned C = 0, Count = 2 + G.pick(3); C < Count; ++C) {
    Scope Inside(G);
    Statements Body = Sets ? Statements{G.set(V, G.affine(1))}
                           : Statements{G.at(G.affine(1))};
    bool Last = C + 1 == Count;
    Switch.Kids.push_back(caseOf(C + G.pick(2) * 10, std::move(Body),
                                 Last && G.chance(50) ? 2
                                 : G.chance(20)       ? 1
                                                      : 0));
    Switch.Kids.back().Value = C * (1 + (Count & 1));
  }
  S.push_back(std::move(Switch));
  if (Sets)
    append(S, G.inner(plus(G.local(I), G.local(V))));
  return S;
}

Statements oneThread(Generator &G) {
  Node Condition = bin(Equal, reg(0, 0), num(G.chance(70) ? 0 : G.pick(4)));
  if (G.chance(20))
    Condition = bin(Equal, G.linear(0, Int::I32), num(0));
  Scope Inside(G);
  return {when(Condition, G.inner(G.chance(60) ? reg(1, 0) : G.affine(1)))};
}

// Choices in the index.

Statements selected(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, G.indexType()), G.indexType());
  if (G.chance(50)) {
    append(S, G.inner(choose(G.condition(1), G.affine(1), G.affine(2))));
    return S;
  }
  Int T = G.indexType();
  unsigned V = G.declare(S, G.local(I), T);
  Statements Else;
  if (G.chance(50))
    Else.push_back(G.set(V, G.affine(1)));
  S.push_back(when(G.condition(1), {G.set(V, G.affine(2))}, std::move(Else)));
  append(S, G.inner(G.local(V)));
  return S;
}

Statements clamped(Generator &G) {
  Statements S;
  Int T = G.indexType();
  unsigned I = G.declare(S, G.linear(0, T), T);
  Node Bound = minus(G.someScalar(Role::Size), num(1));
  Node Index = minus(G.local(I), num(G.pick(3)));
  switch (G.pick(4)) {
  case 0:
    Index = extreme(Op::Minimum, Index, Bound);
    break;
  case 1:
    Index = extreme(Op::Maximum, Index, num(0));
    break;
  case 2:
    Index = extreme(Op::Maximum, extreme(Op::Minimum, Index, Bound), num(0));
    break;
  default:
    Index = choose(less(Index, num(0)), num(0),
                   choose(bin(Greater, Index, Bound), Bound, Index));
  }
  append(S, G.inner(Index));
  return S;
}

const std::vector<Idiom> Idioms = {
    {"1-D index", line, true},
    {"rows (2-D index)", rows, true},
    {"volume (3-D index)", volume, true},
    {"random affine index", anyIndex, true},
    {"random arithmetic", arbitrary},
    {"narrow integers", narrow},
    {"unsigned wrap-around", unsignedWrap},
    {"guard", guard, true},
    {"early return", earlyReturn, true},
    {"|| and != guards", alternatives},
    {"switch", switched},
    {"one thread", oneThread, true},
    {"select, if/else index", selected},
    {"min, max, clamp", clamped},
    {"division, modulo", divided},
    {"shifts", shifted},
    {"masks, | and ^", masked},
    {"signed division", signedDivided},
    {"signed masks", signedMasked},
    {"powers up to 2^63", highPowers},
    {"linear id split", split},
    {"lane and warp", warps},
    {"grid-stride loop", gridStride, true},
    {"counted loop", counted, true},
    {"decreasing loop", decreasing, true},
    {"triangular loops", triangular, true},
    {"loop to a minimum", minimum, true},
    {"loop from a choice", chosenStart},
    {"condition asked twice", askedTwice, true},
    {"while, do-while", whiles, true},
    {"carried variable", carried},
    {"set in a loop, used behind", setInLoop},
    {"shrunk from below zero", shrunk},
    {"unsigned loop downwards", unsignedDown},
    {"counter moved in the body", counterMoved},
    {"geometric loop", geometric},
    {"break, continue", leftEarly},
    {"pointer bumping", bumped, true},
    {"pointer by condition", pointerChosen},
    {"pointer moved by condition", pointerMoved},
    {"ping-pong pointers", pingPong},
    {"vectors, structs, casts", vectors, true},
    {"memcpy, memset", blocksOfMemory, true},
    {"atomics", atomics, true},
    {"index from an atomic", appended},
    {"indirect index", indirect},
    {"CSR row loop", sparseRow},
    {"flag from memory", flagged},
    {"device function", called, true},
    {"recursion", recursive},
    {"function pointer", calledVia},
    {"index from a function", computed},
    {"shared and local arrays", staged, true},
};

} // namespace blockmaestro::soundness
