// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Idioms at the edges of arrays and of the language: pointers at and across an
// array's ends, pointers in structures, weak functions, threads that exit,
// inline assembly.

#include "Idioms.h"

#include <array>
#include <utility>

namespace blockmaestro::soundness {

using enum Operator;

namespace {

/// Types that inline assembly is written for.
Element scalarElement(Generator &G) {
  constexpr Element Likely[] = {Element::Float, Element::Float, Element::I32,
                                Element::I32,   Element::U32,   Element::U64};
  return G.chance(80) ? Likely[G.pick(6)]
                      : Element(G.pick(unsigned(Element::Double) + 1));
}

/// As often a plain access as one by assembly.
Node anyAccess(Generator &G, Node Pointer);

/// Statements that may stand under a condition or in a loop.
Statements dressed(Generator &G, Statements S) {
  switch (G.pick(5)) {
  case 0:
    return {when(G.condition(1), std::move(S))};
  case 1: {
    unsigned C = G.newLocal(Int::I32);
    return {G.loop(C, num(0), less(G.local(C), limit(G)),
                   plus(G.local(C), num(1)), std::move(S))};
  }
  default:
    return S;
  }
}

// Ends of arrays.

/// Far enough to be in another array, and known at launch or always.
Node far(Generator &G) {
  Node Elements = num(50 * (1 + G.pick(2000)));
  return G.chance(50) ? plus(cast(Int::I64, G.someScalar(Role::Size)), Elements)
                      : Elements;
}

/// p[-1 - i], p[i + 1], (p - 1)[i + 1], (p + n)[-1 - i].
Node besideAnEnd(Generator &G, Node Array, Node Index) {
  const Node Count = num(1 + G.pick(4));
  switch (G.pick(6)) {
  case 0:
  case 1:
    return advance(Array, minus(num(-1), Index));
  case 2:
    return advance(Array, plus(Index, Count));
  case 3:
    return advance(advance(Array, G.typed(node(Op::Negate, {Count}))),
                   plus(Index, Count));
  case 4:
    return advance(Array,
                   minus(minus(G.someScalar(Role::Size), num(1)), Index));
  default:
    return advance(advance(Array, G.someScalar(Role::Size)),
                   minus(num(-1), Index));
  }
}

Statements fromTheEnds(Generator &G) {
  Statements S;
  Int T = G.chance(70) ? Int::I32 : Int::I64;
  unsigned I = G.declare(S, G.linear(0, T), T);
  Node Array = G.array(plainArray(G, scalarElement(G)));
  Statements Inside = {anyAccess(G, besideAnEnd(G, Array, G.local(I)))};
  if (G.chance(30))
    Inside.push_back(anyAccess(G, besideAnEnd(G, Array, G.local(I))));
  append(S, dressed(G, std::move(Inside)));
  return S;
}

/// A pointer that goes out of its array and comes back before it is used.
Statements acrossAndBack(Generator &G) {
  Statements S;
  Int T = G.chance(60) ? Int::I32 : Int::I64;
  unsigned I = G.declare(S, G.linear(0, T), T);
  Element Of = scalarElement(G);
  unsigned Q = G.newPointer(Of);
  Node Far = far(G);
  Node Out = G.chance(50) ? Far : G.typed(node(Op::Negate, {Far}));
  S.push_back(G.letPointer(Q, advance(G.array(plainArray(G, Of)), Out)));
  Node Back = G.typed(node(Op::Negate, {Out}));
  if (G.chance(40)) {
    S.push_back(
        when(G.condition(1), {G.setPointer(Q, advance(G.pointer(Q), num(1)))}));
  }
  if (G.chance(50)) {
    S.push_back(G.setPointer(Q, advance(G.pointer(Q), Back)));
    S.push_back(anyAccess(G, advance(G.pointer(Q), G.local(I))));
  } else {
    S.push_back(anyAccess(
        G, advance(G.pointer(Q), plus(cast(Int::I64, G.local(I)), Back))));
  }
  return S;
}

/// A pointer to an end that moves down before each access, or up behind it.
Statements steppedFromAnEnd(Generator &G) {
  Statements S;
  Element Of = scalarElement(G);
  unsigned Q = G.newPointer(Of), C = G.newLocal(Int::I32);
  Node Start = G.chance(50) ? num(0) : G.typed(node(Op::Negate, {reg(0, 0)}));
  if (Start.What == Op::Negate)
    Start = cast(Int::I32, Start);
  S.push_back(G.letPointer(Q, advance(G.array(plainArray(G, Of)), Start)));
  const int64_t Step = G.chance(50) ? -1 : -1 - int64_t(G.pick(8));
  Node Move = G.setPointer(Q, advance(G.pointer(Q), num(Step)));
  Node Use = anyAccess(G, G.pointer(Q));
  Statements Body = {Move, Use};
  if (G.chance(20))
    Body = {anyAccess(G, advance(G.pointer(Q), num(-1))), Move};
  S.push_back(G.loop(C, num(0), less(G.local(C), limit(G)),
                     plus(G.local(C), num(1)), std::move(Body)));
  return S;
}

// Pointers in structures.

/// What chooses one of Count pointers, a power of two; Masked where it is
/// always one of them.
Node chooser(Generator &G, Statements &S, unsigned Count, bool &Masked) {
  auto Cut = [&](Node N) {
    Masked = true;
    return bin(And, std::move(N), num(Count - 1));
  };
  switch (G.pick(7)) {
  case 0:
  case 1:
    return reg(1, G.pick(G.Axes));
  case 2:
    return num(G.pick(Count));
  case 3:
    return Cut(looked(G, table(G), G.linear(0, Int::I32)));
  case 4:
    return Cut(G.affine(1));
  case 5:
    Masked = true;
    return choose(G.condition(1), num(G.pick(Count)), num(G.pick(Count)));
  default: {
    Int T = G.indexType();
    return G.local(G.declare(S, G.chance(50) ? reg(1, 0) : G.affine(1), T));
  }
  }
}

/// A bundle of Count pointers to up to four arrays; all of them unless Whole is
/// false.
unsigned bundle(Generator &G, Element Of, BundleInfo::Form How, unsigned Count,
                bool Whole) {
  BundleInfo B;
  B.Of = Of;
  B.How = How;
  std::array<int, 4> Some = {};
  const unsigned Different = 1 + G.pick(4);
  for (unsigned I = 0; I < Different; ++I) {
    ArrayInfo A;
    A.Of = Of;
    A.Where = ArrayInfo::Bundled;
    G.K.Arrays.push_back(A);
    Some[I] = int(G.K.Arrays.size()) - 1;
  }
  for (unsigned I = 0; I < Count; ++I)
    B.Arrays.push_back(!Whole && G.chance(15) ? BundleInfo::Unused
                                              : Some[G.pick(Different)]);
  G.K.Bundles.push_back(std::move(B));
  return G.K.Bundles.size() - 1;
}

Statements chosenByIndex(Generator &G) {
  Statements S;
  constexpr unsigned Counts[] = {2, 4, 4, 8, 8, 8, 32};
  const auto How = BundleInfo::Form(G.pick(BundleInfo::FormCount));
  const unsigned Count = How == BundleInfo::Mixed
                             ? 4
                             : Counts[G.pick(How == BundleInfo::Apart ? 6 : 7)];
  const bool Loops = G.chance(15);
  const unsigned Counter = G.newLocal(Int::I32);
  bool Masked = false;
  Node Which = Loops ? G.local(Counter) : chooser(G, S, Count, Masked);
  Element Of = scalarElement(G);
  Node Pointer = node(Op::Chosen, {Which});
  Pointer.Id = bundle(G, Of, How, Count, Masked);
  Pointer.Of = Of;
  Node Index = G.chance(60) ? reg(0, 0) : G.affine(1);
  Statements Body = {anyAccess(G, advance(Pointer, Index))};
  if (G.chance(30))
    Body.push_back(anyAccess(
        G, advance(Pointer, minus(num(-1), cast(Int::I32, reg(0, 0))))));
  if (Loops)
    Body = {G.loop(Counter, num(0), less(G.local(Counter), limit(G)),
                   plus(G.local(Counter), num(1)), std::move(Body))};
  append(S, Loops ? std::move(Body) : dressed(G, std::move(Body)));
  return S;
}

/// A pointer that comes as an integer.
Statements hiddenPointer(Generator &G) {
  unsigned A = plainArray(G, scalarElement(G));
  if (G.K.Arrays[A].Where == ArrayInfo::Parameter && G.chance(40))
    G.K.Arrays[A].Hidden = true;
  return dressed(G, {anyAccess(G, advance(G.array(A), G.affine(1)))});
}

// Threads that end, and weak functions.

Node exitOf(Generator &G) {
  Node N = node(Op::Exit);
  N.Value = G.pick(2);
  return N;
}

/// Like an early return.
Statements exited(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, G.indexType()), G.indexType());
  Node Condition =
      G.chance(60)   ? bin(GreaterEqual, G.local(I), G.someScalar(Role::Size))
      : G.chance(60) ? G.condition(2)
                     : bin(Less, looked(G, table(G), G.local(I)), num(8));
  if (G.chance(40)) {
    Node Exit = exitOf(G);
    Exit.Kids = {Condition};
    S.push_back(Exit);
  } else {
    Statements Then;
    if (G.chance(25))
      Then.push_back(G.at(G.local(I)));
    Then.push_back(exitOf(G));
    S.push_back(when(Condition, std::move(Then)));
  }
  append(S, G.inner(G.local(I)));
  return S;
}

/// A function of a pointer and an integer that may end the thread, or do
/// something in its place.
Statements endingBody(Generator &G, unsigned Q, unsigned V) {
  Statements S;
  Node Use = anyAccess(G, advance(G.pointer(Q), G.affine(1)));
  Node Test = less(G.local(V), num(G.pick(20)));
  switch (G.pick(4)) {
  case 0:
    return {when(Test, {exitOf(G)}), Use};
  case 1:
    return {Use, when(Test, {exitOf(G)})};
  case 2:
    return {when(Test, {Use})};
  default:
    return {Use};
  }
}

Function functionOf(Generator &G, Element Of) {
  Function F;
  F.NoInline = G.chance(50);
  unsigned Q = G.newPointer(Of), V = G.newLocal(Int::I32);
  F.Parameters = {{true, Q}, {false, V}};
  Scope Inside(G);
  const bool Was = std::exchange(G.InFunction, true);
  G.Visible = {V};
  F.Body = sequence(endingBody(G, Q, V));
  F.Decoy = sequence(G.chance(30) ? Statements() : endingBody(G, Q, V));
  G.InFunction = Was;
  return F;
}

/// A call of a function that may end the thread, weak or not, and what comes
/// behind it.
Statements calledAndMaybeGone(Generator &G) {
  Element Of = scalarElement(G);
  Function F = functionOf(G, Of);
  F.Weak = G.chance(60);
  unsigned Id = G.newFunction(std::move(F));
  Node Call = node(Op::Call, {advance(G.array(plainArray(G, Of)), G.affine(1)),
                              G.affine(1)});
  Call.Id = Id;
  Statements S = dressed(G, {Call});
  append(S, G.inner(G.affine(1)));
  return S;
}

/// An index that a weak function computes.
Statements placedByWeak(Generator &G) {
  Function F;
  F.Integer = F.Weak = true;
  F.NoInline = G.chance(50);
  unsigned V = G.newLocal(Int::I32);
  F.Parameters = {{false, V}};
  {
    Scope Inside(G);
    const bool Was = std::exchange(G.InFunction, true);
    G.Visible = {V};
    F.Body = sequence({node(Op::ReturnInteger, {G.affine(2)})});
    F.Decoy = sequence({node(Op::ReturnInteger, {G.affine(2)})});
    G.InFunction = Was;
  }
  unsigned Id = G.newFunction(std::move(F));
  Node Call = node(Op::CallInteger, {G.affine(1)});
  Call.Id = Id;
  Call.Type = Int::I32;
  return G.inner(Call);
}

// Inline assembly.

Node assembly(Generator &G, Node Pointer, AssemblyForm Form) {
  const bool Guarded = G.chance(40);
  const bool Displaced = G.chance(60);
  Node N = node(Op::Assembly, {std::move(Pointer)});
  if (Guarded)
    N.Kids.push_back(G.chance(70) ? G.condition(1) : G.affine(1));
  N.Value = valueOf(Form);
  N.Id = Displaced ? G.pick(2 * AssemblyOrigin) : AssemblyOrigin;
  return N;
}

AssemblyForm assemblyForm(Generator &G, Element Of) {
  const bool Adds = Of == Element::I32 || Of == Element::U32 ||
                    Of == Element::U64 || Of == Element::Float;
  return {AssemblyForm::Kind(G.pick(Adds ? 4 : 2)),
          AssemblyForm::Address(G.pick(4))};
}

Node anyAccess(Generator &G, Node Pointer) {
  const Element Of = Pointer.Of;
  return !traits(Of).Aggregate && G.chance(15)
             ? assembly(G, std::move(Pointer), assemblyForm(G, Of))
             : G.access(std::move(Pointer));
}

Statements assembled(Generator &G) {
  Statements S;
  unsigned I = G.declare(S, G.linear(0, G.indexType()), G.indexType());
  Element Of = scalarElement(G);
  Node Array = G.array(plainArray(G, Of));
  Node Index = G.chance(60) ? G.local(I) : G.affine(2);
  Statements Body = {assembly(G, advance(Array, Index), assemblyForm(G, Of))};
  if (G.chance(40))
    Body.push_back(
        assembly(G, advance(Array, G.affine(1)), assemblyForm(G, Of)));
  append(S, dressed(G, std::move(Body)));
  return S;
}

// Bits of an index and of a number of the launch.

/// X with bits of P, a power of two, in one of the ways of networks and
/// transforms.
Node withBits(Generator &G, const Node &X, const Node &P) {
  const Node Low = bin(Operator::And, X, minus(P, num(1)));
  switch (G.pick(8)) {
  case 0:
    return bin(Operator::And, X, P);
  case 1:
    return Low;
  case 2:
    return bin(Operator::And, X, G.typed(node(Op::Negate, {P})));
  case 3:
    return bin(Operator::And, X, G.typed(node(Op::Complement, {P})));
  case 4:
    return bin(Operator::Or, bin(Operator::ShiftLeft, minus(X, Low), num(1)),
               Low);
  case 5:
    return bin(Operator::Or, X, P);
  default:
    return bin(Operator::Xor, X, P);
  }
}

Statements byPowers(Generator &G) {
  using enum Operator;
  Statements S;
  const Int T = G.indexType();
  const unsigned I = G.declare(S, G.linear(0, T), T);
  const Node X = G.chance(85) ? G.local(I) : minus(G.local(I), num(G.pick(9)));
  const Node P = G.chance(75)
                     ? G.someScalar(Role::Power)
                     : bin(ShiftLeft, num(1), G.someScalar(Role::Shift));
  const Node Flipped = bin(Xor, X, P);
  const Node Q = G.chance(30) ? P : G.someScalar(Role::Power);
  constexpr Operator Orders[] = {Less, LessEqual, Greater, GreaterEqual};
  switch (G.pick(5)) {
  case 0:
    append(S, G.inner(withBits(G, X, P)));
    break;
  case 1: {
    Statements Both = {G.at(X), G.at(Flipped)};
    Statements Asked = {
        when(bin(G.chance(70) ? Equal : NotEqual, bin(And, X, Q), num(0)),
             std::move(Both))};
    S.push_back(when(G.chance(50) ? bin(Orders[G.pick(4)], Flipped, X)
                                  : bin(Orders[G.pick(4)], X, Flipped),
                     std::move(Asked)));
    break;
  }
  case 2:
    S.push_back(
        when(bin(G.chance(50) ? Equal : NotEqual,
                 bin(And, X, G.chance(60) ? P : minus(P, num(1))), num(0)),
             G.inner(X)));
    break;
  case 3:
    append(S, G.inner(withBits(G, withBits(G, X, P), Q)));
    break;
  default:
    S.push_back(when(bin(Less, withBits(G, X, P), G.someScalar(Role::Size)),
                     G.inner(X)));
  }
  return S;
}

} // namespace

const std::vector<Idiom> EdgeIdioms = {
    {"indices from an end", fromTheEnds},
    {"across an end and back", acrossAndBack},
    {"stepped from an end", steppedFromAnEnd},
    {"pointer of a structure by index", chosenByIndex},
    {"pointer as an integer", hiddenPointer},
    {"exit", exited},
    {"function that may exit", calledAndMaybeGone},
    {"index from a weak function", placedByWeak},
    {"inline assembly", assembled},
    {"bits by a power of two of the launch", byPowers},
};

} // namespace blockmaestro::soundness
