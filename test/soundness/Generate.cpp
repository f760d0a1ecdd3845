// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include <algorithm>

namespace blockmaestro::soundness {

unsigned Generator::newScalar(Int T, Role Purpose) {
  K.Scalars.push_back({T, Purpose, chance(15)});
  return K.Scalars.size() - 1;
}

unsigned Generator::newArray(Element Of, bool Table) {
  ArrayInfo A;
  A.Of = Of;
  A.Table = Table;
  if (chance(8) && !Affine) {
    A.Where = chance(70) ? ArrayInfo::Device : ArrayInfo::Constant;
    A.Length = A.Where == ArrayInfo::Device ? 1 << 16 : 1 << 11;
  } else if (chance(15)) {
    A.Where = ArrayInfo::Member;
  }
  K.Arrays.push_back(A);
  return K.Arrays.size() - 1;
}

unsigned Generator::newLocal(Int T) {
  K.Locals.push_back(T);
  return K.Locals.size() - 1;
}

unsigned Generator::newPointer(Element Of) {
  K.Pointers.push_back(Of);
  return K.Pointers.size() - 1;
}

unsigned Generator::newFunction(Function F) {
  K.Functions.push_back(std::move(F));
  return K.Functions.size() - 1;
}

Int Generator::indexType() {
  constexpr Int Likely[] = {Int::I32, Int::I32, Int::I32, Int::I32, Int::U32,
                            Int::U32, Int::I64, Int::I64, Int::U64, Int::U64};
  return chance(4) && !Affine ? Int(pick(4)) : Likely[pick(10)];
}

Node Generator::scalar(unsigned Id) const {
  Node N = node(Op::Scalar);
  N.Id = Id;
  N.Type = K.Scalars[Id].Type;
  return N;
}

Node Generator::local(unsigned Id) const {
  Node N = node(Op::Local);
  N.Id = Id;
  N.Type = K.Locals[Id];
  return N;
}

Node Generator::someScalar(Role Purpose) {
  if (InFunction)
    return num(Purpose == Role::Power    ? 1 << pick(6)
               : Purpose == Role::Shift  ? 1 + pick(4)
               : Purpose == Role::Signed ? -1 - int64_t(pick(9))
                                         : 2 + pick(9));
  std::vector<unsigned> Fitting;
  for (unsigned I = 0; I < K.Scalars.size(); ++I)
    if (K.Scalars[I].Purpose == Purpose)
      Fitting.push_back(I);
  if (!Fitting.empty() && chance(60))
    return scalar(Fitting[pick(Fitting.size())]);
  constexpr Int Signed[] = {Int::I32, Int::I32, Int::I32, Int::I32,
                            Int::I64, Int::I64, Int::I16, Int::I8};
  return scalar(newScalar(
      Purpose == Role::Signed ? Signed[pick(8)] : indexType(), Purpose));
}

Node Generator::someLocal() {
  if (Visible.empty())
    return linear(0, indexType());
  return local(Visible[chance(60) ? Visible.size() - 1 : pick(Visible.size())]);
}

Node Generator::linear(unsigned Axis, Int T) {
  Node Thread = reg(0, Axis), Block = reg(1, Axis), Size = reg(2, Axis);
  if (chance(25))
    return cast(T, plus(Thread, times(Size, Block)));
  if (chance(35))
    return plus(times(cast(T, Block), Size), cast(T, Thread));
  return cast(T, plus(times(Block, Size), Thread));
}

Node Generator::atom() {
  unsigned Kind = pick(10);
  if (Kind < 5)
    return someLocal();
  if (Kind < 7)
    return reg(pick(4), pick(Axes));
  if (Kind < 8)
    return num(int64_t(pick(12)) - 4);
  return someScalar(chance(50) ? Role::Size : Role::Any);
}

Node Generator::affine(unsigned Depth) {
  if (Depth == 0 || chance(20))
    return atom();
  switch (pick(5)) {
  case 0:
    return times(affine(Depth - 1), num(1 + pick(5)));
  case 1:
    return times(atom(), someScalar(Role::Small));
  case 2:
    return minus(affine(Depth - 1), affine(Depth - 1));
  default:
    return plus(affine(Depth - 1), affine(Depth - 1));
  }
}

Node Generator::typed(Node N) const {
  retype(N, K);
  return N;
}

/// A value of 1 or more, nearly always.
Node Generator::positive() {
  unsigned Kind = pick(4);
  if (Kind == 0)
    return reg(2 + pick(2), pick(Axes));
  return Kind == 1 ? someScalar(Role::Small) : num(1 + pick(9));
}

Node Generator::anything(unsigned Depth) {
  if (Depth == 0 || chance(15))
    return atom();
  auto Kid = [&] { return anything(Depth - 1); };
  switch (pick(18)) {
  case 0:
    return bin(Operator::Divide, Kid(), positive());
  case 1:
    return bin(Operator::Remainder, Kid(), positive());
  case 2:
    return bin(Operator::And, Kid(),
               num((1 << pick(7)) - (chance(90) ? 1 : 0)));
  case 3:
    return bin(chance(50) ? Operator::Or : Operator::Xor, Kid(), num(pick(9)));
  case 4:
    return bin(Operator::ShiftRight, Kid(),
               chance(70) ? num(pick(6)) : someScalar(Role::Shift));
  case 5:
    return bin(Operator::ShiftLeft, Kid(),
               chance(70) ? num(pick(4)) : someScalar(Role::Shift));
  case 6:
    return extreme(chance(50) ? Op::Minimum : Op::Maximum, Kid(), Kid());
  case 7:
    return choose(condition(1), Kid(), Kid());
  case 8:
    return cast(chance(40) ? Int(pick(IntCount)) : indexType(), Kid());
  case 9:
    return times(Kid(), chance(50) ? num(1 + pick(6)) : Kid());
  case 10:
    return minus(Kid(), Kid());
  case 11:
    return condition(1);
  case 12:
    return typed(node(chance(50) ? Op::Negate : Op::Complement, {Kid()}));
  case 13:
    return times(condition(1), Kid());
  default:
    return plus(Kid(), Kid());
  }
}

Node Generator::comparison() {
  constexpr Operator Likely[] = {Operator::Less,         Operator::Less,
                                 Operator::Less,         Operator::Greater,
                                 Operator::GreaterEqual, Operator::LessEqual,
                                 Operator::Equal,        Operator::NotEqual};
  const unsigned Count = Affine ? 7 : 8;
  Node Left = chance(60) ? someLocal() : affine(2);
  Node Right = chance(60) ? someScalar(Role::Size) : affine(1);
  return bin(Likely[pick(Count)], Left, Right);
}

Node Generator::condition(unsigned Depth) {
  if (Depth == 0 || chance(40))
    return comparison();
  switch (Affine ? 7 : pick(8)) {
  case 0:
    return truth(Op::Not, {condition(Depth - 1)});
  case 1:
  case 2:
    return truth(Op::OrElse, {condition(Depth - 1), condition(Depth - 1)});
  case 3:
    return bin(Operator::Equal,
               bin(Operator::Remainder, someLocal(), positive()), num(pick(2)));
  default:
    return truth(Op::AndAlso, {condition(Depth - 1), condition(Depth - 1)});
  }
}

Node Generator::let(unsigned Id, Node Value) const {
  Node N = node(Op::Let, {std::move(Value)});
  N.Id = Id;
  return N;
}
Node Generator::set(unsigned Id, Node Value) const {
  Node N = let(Id, std::move(Value));
  N.What = Op::Set;
  return N;
}
Node Generator::letPointer(unsigned Id, Node Value) const {
  Node N = let(Id, std::move(Value));
  N.What = Op::LetPointer;
  return N;
}
Node Generator::setPointer(unsigned Id, Node Value) const {
  Node N = let(Id, std::move(Value));
  N.What = Op::SetPointer;
  return N;
}
Node Generator::array(unsigned Id) const {
  Node N = node(Op::Array);
  N.Id = Id;
  N.Of = K.Arrays[Id].Of;
  return N;
}
Node Generator::pointer(unsigned Id) const {
  Node N = node(Op::Pointer);
  N.Id = Id;
  N.Of = K.Pointers[Id];
  return N;
}

unsigned Generator::declare(std::vector<Node> &To, Node Value, Int T) {
  unsigned Id = newLocal(T);
  To.push_back(let(Id, std::move(Value)));
  Visible.push_back(Id);
  return Id;
}

Element Generator::dataElement() {
  constexpr Element Likely[] = {Element::Float, Element::Float, Element::Float,
                                Element::I32, Element::Double};
  return chance(75) ? Likely[pick(5)] : Element(pick(ElementCount));
}

/// Whether the array a pointer certainly starts from may not be written.
static bool isConstant(const Node &N, const Kernel &K) {
  if (N.What == Op::Array)
    return K.Arrays[N.Id].Where == ArrayInfo::Constant || K.Arrays[N.Id].Table;
  return isPointer(N.What) &&
         std::any_of(N.Kids.begin(), N.Kids.end(),
                     [&](const Node &Kid) { return isConstant(Kid, K); });
}

Node Generator::access(Node Pointer) {
  bool MayWrite = !isConstant(Pointer, K),
       Aggregate = traits(Pointer.Of).Aggregate;
  bool Counts = Pointer.Of == Element::I32 || Pointer.Of == Element::U32 ||
                Pointer.Of == Element::U64;
  unsigned Kind = pick(10);
  Node N = node(Op::Read, {std::move(Pointer)});
  if (MayWrite && Kind == 0 && (Counts || N.Kids[0].Of == Element::Float)) {
    N.What = Op::Atomic;
    N.Value = Counts ? pick(4) : 0;
    return N;
  }
  if (MayWrite && Kind < 6)
    N.What = Op::Write;
  N.Value = !Aggregate && chance(5);
  return N;
}

Node Generator::at(Node Index) {
  unsigned Id = newArray(dataElement());
  const ArrayInfo &A = K.Arrays[Id];
  if (A.Where >= ArrayInfo::Device && chance(60))
    Index = bin(Operator::And, Index, num(A.Length / 16 - 1));
  return access(advance(array(Id), std::move(Index)));
}

Node Generator::loop(unsigned Counter, Node From, Node Condition, Node Next,
                     std::vector<Node> Body) const {
  return node(Op::For,
              {let(Counter, std::move(From)), std::move(Condition),
               set(Counter, std::move(Next)), sequence(std::move(Body))});
}

std::vector<Node> Generator::inner(Node Index) {
  if (Depth == 0 || chance(55) || InFunction) {
    if (chance(75))
      return {at(std::move(Index))};
    return {at(Index), at(plus(Index, num(int64_t(pick(5)) - 2)))};
  }
  Scope Inside(*this);
  --Depth;
  return idiom();
}

static void mark(Node &N, unsigned Idiom) {
  if (isStatement(N.What) && N.Idiom == 0)
    N.Idiom = Idiom;
  for (Node &Kid : N.Kids)
    mark(Kid, Idiom);
}

std::vector<Node> Generator::idiom() {
  unsigned Which = pick(Idioms.size());
  while (Affine && !Idioms[Which].Affine)
    Which = pick(Idioms.size());
  std::vector<Node> Made = Idioms[Which].Make(*this);
  for (Node &Each : Made)
    mark(Each, Which + 1);
  return Made;
}

std::vector<Node> Generator::lateIdiom() {
  constexpr unsigned Others = 2654435761;
  const Random Before = std::exchange(R, Random(K.Seed * Others + 1));
  const unsigned Which = EdgeIdioms.size() - 1 - pick(LateIdioms);
  std::vector<Node> Made;
  if (chance(25))
    Made = EdgeIdioms[Which].Make(*this);
  for (Node &Each : Made)
    mark(Each, Idioms.size() + Which + 1);
  R = Before;
  return Made;
}

std::vector<Node> Generator::edgeIdiom() {
  const unsigned Which = pick(EdgeIdioms.size() - LateIdioms);
  std::vector<Node> Made = EdgeIdioms[Which].Make(*this);
  for (Node &Each : Made)
    mark(Each, Idioms.size() + Which + 1);
  return Made;
}

/// Orders the parameters and lays out the struct of the members.
void Generator::finish(std::vector<Node> Body) {
  K.Body = sequence(std::move(Body));
  for (unsigned I = 0; I < K.Arrays.size(); ++I) {
    if (K.Arrays[I].Where == ArrayInfo::Parameter)
      K.Parameters.push_back({ParameterInfo::Array, I});
    else if (K.Arrays[I].Where == ArrayInfo::Member)
      K.Members.push_back({true, I, chance(40), 0});
  }
  for (unsigned I = 0; I < K.Scalars.size(); ++I) {
    if (K.Scalars[I].Member)
      K.Members.push_back({false, I, chance(40), 0});
    else
      K.Parameters.push_back({ParameterInfo::Scalar, I});
  }
  if (!K.Members.empty())
    K.Parameters.push_back({ParameterInfo::Struct, 0});
  for (unsigned I = 0; I < K.Bundles.size(); ++I)
    K.Parameters.push_back({ParameterInfo::Bundle, I});
  std::shuffle(K.Parameters.begin(), K.Parameters.end(), R);
  std::shuffle(K.Members.begin(), K.Members.end(), R);
  layOut(K);
}

/// Idioms at the edges before or behind the others, whose variables they do not
/// use.
static void addEdges(Generator &G, std::vector<Node> &Body, bool Late) {
  for (unsigned I = 0, Count = Late ? 1 : 1 + G.pick(2); I < Count; ++I) {
    Scope Alone(G);
    G.Visible.clear();
    G.Depth = 1;
    std::vector<Node> Edge = Late ? G.lateIdiom() : G.edgeIdiom();
    Body.insert(!Late && G.chance(50) ? Body.begin() : Body.end(),
                std::make_move_iterator(Edge.begin()),
                std::make_move_iterator(Edge.end()));
  }
}

Kernel generate(uint32_t Seed, bool Affine) {
  Generator G(Seed, Affine);
  G.Axes = 1 + G.pick(3);
  G.Depth = 2;
  std::vector<Node> Body;
  for (unsigned I = 0, Count = 1 + G.pick(3); I < Count; ++I)
    for (Node &Each : G.idiom())
      Body.push_back(std::move(Each));
  if (!Affine && G.chance(60))
    addEdges(G, Body, false);
  if (!Affine)
    addEdges(G, Body, true);
  G.finish(std::move(Body));
  if (!Affine) {
    G.K.Weak = G.chance(1);
    G.K.Relocatable = hasWeakCode(G.K) && G.chance(50);
  }
  return std::move(G.K);
}

static Wide randomScalar(const ScalarInfo &S, const LaunchCase &L, Random &R) {
  auto Pick = [&](unsigned Below) { return Wide(R() % Below); };
  const IntTraits &T = traits(S.Type);
  if (R() % 200 == 0) {
    Wide Top = (Wide(1) << (T.Bits - (T.Signed ? 1 : 0))) - 1;
    return R() % 2 || !T.Signed ? Top - Pick(3) : -Top - 1 + Pick(3);
  }
  switch (S.Purpose) {
  case Role::Small:
    return R() % 10 == 0 ? wrapped(-Pick(5), S.Type) : 1 + Pick(8);
  case Role::Shift:
    return Pick(6);
  case Role::Any:
    return wrapped(Pick(70) - 20, S.Type);
  case Role::Signed: {
    const Wide Size = 1 + (R() % 4 ? Pick(9) : Pick(60));
    return R() % 3 ? Size : -Size;
  }
  case Role::Power:
    return R() % 8 ? Wide(1) << R() % 7 : wrapped(Pick(9) - 1, S.Type);
  case Role::Width:
    return R() % 2 ? Pick(64) : 63 - Pick(3);
  case Role::Size:
    break;
  }
  if (R() % 4)
    return R() % 20 == 0 ? wrapped(-Pick(5), S.Type) : Pick(40);
  // About as many as there are threads on an axis.
  unsigned Axis = R() % 3;
  return wrapped(Wide(L.Grid[Axis]) * L.Block[Axis] + Pick(5) - 2, S.Type);
}

LaunchCase randomLaunch(const Kernel &K, Random &R) {
  auto Pick = [&](unsigned Below) { return uint32_t(1 + R() % Below); };
  LaunchCase L;
  switch (R() % 4) {
  case 0:
    L.Grid = {Pick(5), 1, 1};
    L.Block = {Pick(70), 1, 1};
    break;
  case 1:
    L.Grid = {Pick(4), Pick(3), Pick(2)};
    L.Block = {Pick(4), Pick(4), Pick(3)};
    break;
  case 2:
    L.Grid = {Pick(4), Pick(3), 1};
    L.Block = {uint32_t(1) << R() % 6, Pick(2), 1};
    break;
  default:
    L.Grid = {Pick(3), Pick(3), 1};
    L.Block = {Pick(8), Pick(5), 1};
  }
  return randomLaunch(K, L.Grid, L.Block, R);
}

LaunchCase randomLaunch(const Kernel &K, Dim3 Grid, Dim3 Block, Random &R) {
  LaunchCase L;
  L.Grid = Grid;
  L.Block = Block;
  for (const ScalarInfo &S : K.Scalars)
    L.Scalars.push_back(randomScalar(S, L, R));
  L.Contents = R();
  L.WildTables = R() % 8 == 0;
  return L;
}

unsigned idiomCount() { return Idioms.size() + EdgeIdioms.size(); }
const char *idiomName(unsigned Idiom) {
  return Idiom < Idioms.size() ? Idioms[Idiom].Name
                               : EdgeIdioms[Idiom - Idioms.size()].Name;
}

} // namespace blockmaestro::soundness
