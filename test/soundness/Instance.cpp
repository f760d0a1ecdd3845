// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instance.h"

#include "Walk.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro::soundness {

// Note [Instance]
// At a launch the symbols are of three sorts: numbers (sizes, arguments, and
// powers and quotients of such), variables (threads, blocks, counters, values)
// and quotients of variables, which are computed where they are met.
// An assumption is asked at every thread, block and iteration at which the
// constraints it is under hold. Where there are none and its polynomial has no
// quotient and no variable twice in a term, its extremes over a box lie at the
// box's corners, and only those are tried; that is exact. Only where there are
// too many points to try are intervals used instead, which can only make more
// accesses degrade. An extent of launch-time numbers is the number of
// iterations. Any other is a bound, and the contract says that a larger one
// gives the same bytes: so Walk takes one that is larger by one, and an
// analysis that forgot the condition that ends the loop is caught.

static bool multiply(Wide &To, Wide By) {
  return !__builtin_mul_overflow(To, By, &To);
}

Instance::Instance(const Footprint &F, const Launch &L) : F(F), L(L) {
  findNumbers();
  for (const Quotient &Q : F.Quotients) {
    Numerators.push_back(reduce(Q.Numerator));
    Denominators.push_back(reduce(Q.Denominator));
  }
  for (const ValueRange &V : F.Values) {
    Lows.push_back(reduce(V.Low));
    Highs.push_back(reduce(V.High));
  }
  // An extent may use other counters, which come later than it in odd records.
  Extents.resize(F.CounterExtents.size());
  for (size_t Round = 0; Round < F.CounterExtents.size(); ++Round)
    for (size_t I = 0; I < F.CounterExtents.size(); ++I)
      if (!Extents[I])
        Extents[I] = largest(F.CounterExtents[I]);
}

std::optional<Wide> Instance::launchNumber(const Symbol &S) const {
  if (S.Kind == SymbolKind::BlockDim)
    return L.Block[S.Dimension];
  if (S.Kind == SymbolKind::GridDim)
    return L.Grid[S.Dimension];
  if (S.Kind != SymbolKind::Argument)
    return std::nullopt;
  uint64_t Bits = 0;
  size_t At = L.Kernel->Parameters[S.Index].Offset + S.Offset;
  std::memcpy(&Bits, L.Arguments.data() + At, S.Bytes);
  constexpr Int Types[] = {Int::I8, Int::I16, Int::I32, Int::I64};
  unsigned Log = S.Bytes == 1 ? 0 : S.Bytes == 2 ? 1 : S.Bytes == 4 ? 2 : 3;
  return wrapped(Wide(Bits),
                 S.Signed ? Types[Log] : Int(unsigned(Types[Log]) + 1));
}

std::optional<Wide> Instance::constant(const Polynomial &P) const {
  Reduced R = reduce(P);
  if (!R.Usable || (!R.Terms.empty() && !R.Terms[0].Factors.empty()) ||
      R.Terms.size() > 1)
    return std::nullopt;
  return R.Terms.empty() ? 0 : R.Terms[0].Coefficient;
}

/// Powers and quotients of numbers are numbers; some are made of others.
void Instance::findNumbers() {
  Numbers.resize(F.Symbols.size());
  Broken.assign(F.Symbols.size(), false);
  for (size_t I = 0; I < F.Symbols.size(); ++I)
    Numbers[I] = launchNumber(F.Symbols[I]);
  for (size_t Round = 0; Round < F.Symbols.size(); ++Round) {
    for (size_t I = 0; I < F.Symbols.size(); ++I) {
      const Symbol &S = F.Symbols[I];
      if (Numbers[I])
        continue;
      if (S.Kind == SymbolKind::Power) {
        std::optional<Wide> E = constant(F.Powers[S.Index]);
        Broken[I] = !E || *E < 0 || *E > 62;
        if (!Broken[I])
          Numbers[I] = Wide(1) << int(*E);
      } else if (S.Kind == SymbolKind::Quotient) {
        std::optional<Wide> D = constant(F.Quotients[S.Index].Denominator);
        std::optional<Wide> N = constant(F.Quotients[S.Index].Numerator);
        Broken[I] = !D || *D < 1;
        if (!Broken[I] && N)
          Numbers[I] = floorDivide(*N, *D);
      }
    }
  }
}

Reduced Instance::reduce(const Polynomial &P) const {
  Reduced Out;
  for (const Monomial &M : P.Terms) {
    Reduced::Term T{M.Coefficient, {}};
    for (uint16_t Factor : M.Factors) {
      if (!Numbers[Factor])
        T.Factors.push_back(Factor);
      else
        Out.Usable &= multiply(T.Coefficient, *Numbers[Factor]);
    }
    auto Same = std::find_if(
        Out.Terms.begin(), Out.Terms.end(),
        [&](const Reduced::Term &O) { return O.Factors == T.Factors; });
    if (Same == Out.Terms.end())
      Out.Terms.push_back(std::move(T));
    else
      Out.Usable &= !__builtin_add_overflow(Same->Coefficient, T.Coefficient,
                                            &Same->Coefficient);
  }
  std::erase_if(Out.Terms,
                [](const Reduced::Term &T) { return T.Coefficient == 0; });
  return Out;
}

void Instance::use(const Polynomial &P, std::vector<bool> &Used) const {
  for (const Monomial &M : P.Terms)
    for (uint16_t Id : M.Factors) {
      if (Used[Id])
        continue;
      Used[Id] = true;
      const Symbol &S = F.Symbols[Id];
      if (S.Kind == SymbolKind::Quotient) {
        use(F.Quotients[S.Index].Numerator, Used);
        use(F.Quotients[S.Index].Denominator, Used);
      } else if (S.Kind == SymbolKind::Power) {
        use(F.Powers[S.Index], Used);
      } else if (S.Kind == SymbolKind::Value) {
        use(F.Values[S.Index].Low, Used);
        use(F.Values[S.Index].High, Used);
      }
    }
}

Wide Instance::value(uint16_t Id, const Point &At, bool &Bad) const {
  if (Numbers[Id])
    return *Numbers[Id];
  const Symbol &S = F.Symbols[Id];
  if (S.Kind != SymbolKind::Quotient)
    return At[Id];
  Wide D = value(Denominators[S.Index], At, Bad);
  if (D < 1) {
    Bad = true;
    return 0;
  }
  return floorDivide(value(Numerators[S.Index], At, Bad), D);
}

Wide Instance::value(const Reduced &P, const Point &At, bool &Bad) const {
  Wide Sum = 0;
  Bad |= !P.Usable;
  for (const Reduced::Term &T : P.Terms) {
    Wide Product = T.Coefficient;
    for (uint16_t Id : T.Factors)
      Bad |= !multiply(Product, value(Id, At, Bad));
    Bad |= __builtin_add_overflow(Sum, Product, &Sum);
  }
  return Sum;
}

Interval Instance::rangeOfSymbol(uint16_t Id) const {
  const Symbol &S = F.Symbols[Id];
  if (Numbers[Id])
    return {*Numbers[Id], *Numbers[Id], true};
  if (S.Kind == SymbolKind::ThreadIdx)
    return {0, Wide(L.Block[S.Dimension]) - 1, true};
  if (S.Kind == SymbolKind::BlockIdx)
    return {0, Wide(L.Grid[S.Dimension]) - 1, true};
  if (S.Kind == SymbolKind::Counter) {
    std::optional<int64_t> E = Extents[S.Index];
    return {0, E ? std::max<int64_t>(*E - 1, 0) : 0, E.has_value()};
  }
  if (S.Kind == SymbolKind::Value) {
    Interval Low = rangeOf(F.Values[S.Index].Low);
    Interval High = rangeOf(F.Values[S.Index].High);
    return {Low.Low, High.High, Low.Known && High.Known};
  }
  if (S.Kind != SymbolKind::Quotient || Broken[Id])
    return {};
  Interval N = rangeOf(F.Quotients[S.Index].Numerator);
  std::optional<Wide> D = constant(F.Quotients[S.Index].Denominator);
  return {floorDivide(N.Low, *D), floorDivide(N.High, *D), N.Known};
}

Interval Instance::rangeOf(const Polynomial &P) const {
  Reduced R = reduce(P);
  Interval Sum{0, 0, R.Usable};
  for (const Reduced::Term &T : R.Terms) {
    Interval Product{T.Coefficient, T.Coefficient, true};
    for (uint16_t Id : T.Factors) {
      Interval By = rangeOfSymbol(Id);
      Wide Corners[4] = {Product.Low, Product.Low, Product.High, Product.High};
      for (unsigned I = 0; I < 4; ++I)
        Product.Known &= multiply(Corners[I], I & 1 ? By.High : By.Low);
      Product.Known &= By.Known;
      Product.Low = *std::min_element(Corners, Corners + 4);
      Product.High = *std::max_element(Corners, Corners + 4);
    }
    Sum.Known &= Product.Known &&
                 !__builtin_add_overflow(Sum.Low, Product.Low, &Sum.Low) &&
                 !__builtin_add_overflow(Sum.High, Product.High, &Sum.High);
  }
  return Sum;
}

/// False when the extremes cannot be found by trying.
bool Instance::extremes(const Polynomial &P,
                        const std::vector<Constraint> &Where,
                        const std::function<void(Wide)> &Visit) const {
  constexpr Wide MostPoints = 100000;
  std::vector<bool> Used(F.Symbols.size());
  use(P, Used);
  Reduced R = reduce(P);
  bool Corners = R.Usable && Where.empty();
  std::vector<std::pair<Reduced, bool>> Conditions;
  for (const Constraint &C : Where) {
    use(C.Value, Used);
    Conditions.push_back({reduce(C.Value), C.Equality});
  }
  for (const Reduced::Term &T : R.Terms)
    for (size_t I = 0; I < T.Factors.size(); ++I)
      Corners &= F.Symbols[T.Factors[I]].Kind != SymbolKind::Quotient &&
                 (I == 0 || T.Factors[I] != T.Factors[I - 1]);
  std::vector<std::pair<uint16_t, Interval>> Box;
  Wide Count = 1;
  for (uint16_t Id = 0; Id < Used.size(); ++Id) {
    if (!Used[Id] || Numbers[Id] || F.Symbols[Id].Kind == SymbolKind::Quotient)
      continue;
    Interval Of = rangeOfSymbol(Id);
    if (!Of.Known || Of.High < Of.Low)
      return false;
    Box.push_back({Id, Of});
    Count *= std::min<Wide>(Corners ? 2 : Of.High - Of.Low + 1, MostPoints + 1);
    if (Count > MostPoints)
      return false;
  }
  Point At(F.Symbols.size());
  bool Bad = false;
  auto Meets = [&](const std::pair<Reduced, bool> &C) {
    const Wide V = value(C.first, At, Bad);
    return C.second ? V == 0 : V >= 0;
  };
  auto Try = [&](auto &Self, size_t Next) -> void {
    if (Next == Box.size()) {
      if (std::all_of(Conditions.begin(), Conditions.end(), Meets))
        Visit(value(R, At, Bad));
      return;
    }
    auto [Id, Of] = Box[Next];
    Wide Step = Corners && Of.High > Of.Low ? Of.High - Of.Low : 1;
    for (At[Id] = Of.Low; At[Id] <= Of.High; At[Id] += Step)
      Self(Self, Next + 1);
  };
  Try(Try, 0);
  return !Bad;
}

std::optional<int64_t> Instance::largest(const Polynomial &P) const {
  constexpr Wide Most = int64_t(1) << 62;
  Wide Best = -Most;
  if (!extremes(P, {}, [&](Wide V) { Best = std::max(Best, V); })) {
    Interval R = rangeOf(P);
    if (!R.Known)
      return std::nullopt;
    Best = R.High;
  }
  return int64_t(std::max(std::min(Best, Most), -Most));
}

bool Instance::holds(const Assumption &A, const Access &Of) const {
  Wide Half = Wide(1) << (A.Bits - 1);
  Wide Low = A.Signed ? -Half : 0, High = A.Signed ? Half - 1 : 2 * Half - 1;
  bool Fits = true;
  std::vector<Constraint> Where;
  for (uint16_t Place : A.Under)
    Where.push_back(Of.Domain[Place]);
  if (extremes(A.Value, Where, [&](Wide V) { Fits &= V >= Low && V <= High; }))
    return Fits;
  Interval R = rangeOf(A.Value);
  return R.Known && R.Low >= Low && R.High <= High;
}

bool Instance::degraded(const Access &A) const {
  std::vector<bool> Used(F.Symbols.size());
  use(A.Offset, Used);
  for (const Constraint &C : A.Domain)
    use(C.Value, Used);
  for (const Assumption &S : A.Assumptions)
    use(S.Value, Used);
  for (size_t Round = 0; Round < F.CounterExtents.size(); ++Round)
    for (size_t I = 0; I < Used.size(); ++I)
      if (Used[I] && F.Symbols[I].Kind == SymbolKind::Counter)
        use(F.CounterExtents[F.Symbols[I].Index], Used);
  for (size_t I = 0; I < Used.size(); ++I)
    if (Used[I] && Broken[I])
      return true;
  return !std::all_of(A.Assumptions.begin(), A.Assumptions.end(),
                      [&](const Assumption &S) { return holds(S, A); });
}

AccessBytes Instance::bytes(const Access &A, Dim3 Block) const {
  if (A.How == Exactness::Unknown)
    return {Meaning::Anywhere, false, {}};
  if (A.How == Exactness::Allocation || A.ElementBytes == 0 || degraded(A))
    return {Meaning::Allocation, false, {}};
  return Walk(*this, A, Block).run();
}

} // namespace blockmaestro::soundness
