// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Polynomials.h"

#include "blockmaestro/Encoding.h"

#include <algorithm>

namespace blockmaestro {

namespace {

constexpr __int128 RangeLimit = __int128(1) << 63;

Range limited(Range R) {
  R.Known = R.Known && R.Low >= -RangeLimit && R.High <= RangeLimit * 2;
  return R;
}

/// Only denominators of at least 1 count.
Range quotientRange(const Quotient &Q, const Footprint &F) {
  Range N = rangeOf(Q.Numerator, F), D = rangeOf(Q.Denominator, F);
  if (!N.Known)
    return {};
  __int128 Least = D.Known ? std::max<__int128>(D.Low, 1) : 1;
  __int128 Most = D.Known ? std::max<__int128>(D.High, Least) : RangeLimit;
  return {floorDiv<__int128>(N.Low, N.Low < 0 ? Least : Most),
          floorDiv<__int128>(N.High, N.High < 0 ? Most : Least), true};
}

/// Only exponents of at most 63 count, which a shift of 64 bits has.
Range powerRange(const Polynomial &Exponent, const Footprint &F) {
  Range E = rangeOf(Exponent, F);
  __int128 Most = E.Known ? std::clamp<__int128>(E.High, 0, 63) : 63;
  return {1, __int128(1) << int(Most), true};
}

/// Only a constant number of iterations rests on nothing else. The first one
/// may run whatever that number is.
Range counterRange(size_t Counter, const Footprint &F) {
  Range R{0, RangeLimit - 1, true};
  if (Counter < F.CounterExtents.size() &&
      F.CounterExtents[Counter].Terms.size() == 1 &&
      F.CounterExtents[Counter].Terms[0].Factors.empty())
    R.High =
        std::max<int64_t>(F.CounterExtents[Counter].Terms[0].Coefficient, 1) -
        1;
  return R;
}

/// What a symbol can be in any launch; CUDA's limits on blocks and grids.
Range symbolRange(const Symbol &S, const Footprint &F) {
  const __int128 MaxGrid = S.Dimension == 0 ? INT32_MAX : UINT16_MAX;
  const __int128 MaxBlock = S.Dimension == 2 ? 64 : 1024;
  switch (S.Kind) {
  case SymbolKind::ThreadIdx:
    return {0, MaxBlock - 1, true};
  case SymbolKind::BlockIdx:
    return {0, MaxGrid - 1, true};
  case SymbolKind::BlockDim:
    return {1, MaxBlock, true};
  case SymbolKind::GridDim:
    return {1, MaxGrid, true};
  case SymbolKind::Counter:
    return counterRange(S.Index, F);
  case SymbolKind::Power:
    return powerRange(F.Powers[S.Index], F);
  case SymbolKind::Quotient:
    return quotientRange(F.Quotients[S.Index], F);
  case SymbolKind::Value: {
    Range Low = rangeOf(F.Values[S.Index].Low, F);
    Range High = rangeOf(F.Values[S.Index].High, F);
    return {Low.Low, High.High, Low.Known && High.Known};
  }
  case SymbolKind::Argument:
    break;
  }
  unsigned Bits = S.Bytes * 8 - (S.Signed ? 1 : 0);
  __int128 High = (__int128(1) << Bits) - 1;
  return {S.Signed ? -High - 1 : 0, High, true};
}

Range times(Range A, Range B) {
  if (!A.Known || !B.Known || A.High > RangeLimit || B.High > RangeLimit)
    return {};
  auto [Low, High] = std::minmax(
      {A.Low * B.Low, A.Low * B.High, A.High * B.Low, A.High * B.High});
  return limited({Low, High, true});
}

} // namespace

std::optional<Monomial> divided(const Monomial &Term, const Monomial &Divisor) {
  bool Minimum = Term.Coefficient == INT64_MIN && Divisor.Coefficient == -1;
  if (Divisor.Coefficient == 0 || Minimum ||
      Term.Coefficient % Divisor.Coefficient != 0 ||
      !std::includes(Term.Factors.begin(), Term.Factors.end(),
                     Divisor.Factors.begin(), Divisor.Factors.end()))
    return std::nullopt;
  Monomial M;
  M.Coefficient = Term.Coefficient / Divisor.Coefficient;
  std::set_difference(Term.Factors.begin(), Term.Factors.end(),
                      Divisor.Factors.begin(), Divisor.Factors.end(),
                      std::back_inserter(M.Factors));
  return M;
}

bool equal(const Polynomial &A, const Polynomial &B) {
  return std::equal(A.Terms.begin(), A.Terms.end(), B.Terms.begin(),
                    B.Terms.end(), [](const Monomial &X, const Monomial &Y) {
                      return X.Coefficient == Y.Coefficient &&
                             X.Factors == Y.Factors;
                    });
}

bool equal(const Constraint &A, const Constraint &B) {
  return A.Equality == B.Equality && equal(A.Value, B.Value);
}

/// Whether Test holds for a symbol of P, or of a numerator or range in it.
template <typename Predicate>
static bool anySymbol(const Polynomial &P, const Footprint &F, Predicate Test) {
  for (const Monomial &M : P.Terms)
    for (uint16_t Factor : M.Factors) {
      const Symbol &S = F.Symbols[Factor];
      if (Test(S) ||
          (S.Kind == SymbolKind::Quotient &&
           anySymbol(F.Quotients[S.Index].Numerator, F, Test)) ||
          (S.Kind == SymbolKind::Value &&
           (anySymbol(F.Values[S.Index].Low, F, Test) ||
            anySymbol(F.Values[S.Index].High, F, Test))))
        return true;
    }
  return false;
}

bool mentions(const Polynomial &P, const Footprint &F, unsigned Kinds) {
  return anySymbol(P, F,
                   [&](const Symbol &S) { return Kinds & kindBit(S.Kind); });
}

bool mentions(const Polynomial &P, const Footprint &F, SymbolKind Kind,
              unsigned Index) {
  return anySymbol(P, F, [&](const Symbol &S) {
    return S.Kind == Kind && S.Index == Index;
  });
}

std::set<uint16_t> symbolsIn(const Polynomial &P, const Footprint &F,
                             unsigned Kinds) {
  std::set<uint16_t> Seen;
  std::vector<uint16_t> Work;
  auto Add = [&](const Polynomial &Part) {
    for (const Monomial &M : Part.Terms)
      for (uint16_t Factor : M.Factors)
        if (Seen.insert(Factor).second)
          Work.push_back(Factor);
  };
  Add(P);
  while (!Work.empty()) {
    const Symbol &S = F.Symbols[Work.back()];
    Work.pop_back();
    if (S.Kind == SymbolKind::Quotient)
      Add(F.Quotients[S.Index].Numerator);
    if (S.Kind == SymbolKind::Value) {
      Add(F.Values[S.Index].Low);
      Add(F.Values[S.Index].High);
    }
  }
  std::erase_if(Seen, [&](uint16_t Found) {
    return !(Kinds & kindBit(F.Symbols[Found].Kind));
  });
  return Seen;
}

bool mentionsCounter(const Polynomial &P, const Footprint &F,
                     unsigned Counter) {
  return mentions(P, F, SymbolKind::Counter, Counter);
}

CheckedPolynomial replaced(const Polynomial &P, const Footprint &F,
                           uint16_t Symbol, const Polynomial &By) {
  const auto &Old = F.Symbols[Symbol];
  CheckedPolynomial Sum = 0;
  for (const Monomial &M : P.Terms) {
    CheckedPolynomial Term = M.Coefficient;
    for (uint16_t Factor : M.Factors) {
      const auto &S = F.Symbols[Factor];
      if (S.Kind == SymbolKind::Quotient &&
          mentions(F.Quotients[S.Index].Numerator, F, Old.Kind, Old.Index))
        return NoPolynomial();
      Term *= Factor == Symbol ? By : symbolPolynomial(Factor);
    }
    Sum += std::move(Term);
  }
  return Sum;
}

Range rangeOf(const Polynomial &P, const Footprint &F) {
  Range Sum{0, 0, true};
  for (const Monomial &M : P.Terms) {
    Range Term{M.Coefficient, M.Coefficient, true};
    for (uint16_t Factor : M.Factors)
      Term = times(Term, symbolRange(F.Symbols[Factor], F));
    if (!Term.Known)
      return {};
    Sum = limited({Sum.Low + Term.Low, Sum.High + Term.High, true});
    if (!Sum.Known)
      return {};
  }
  return Sum;
}

static bool factorNonNegative(uint16_t Factor, const Footprint &F) {
  Range R = symbolRange(F.Symbols[Factor], F);
  return R.Known && R.Low >= 0;
}

/// Non-negative by the signs and ranges of its terms alone.
static bool plainlyNonNegative(const Polynomial &P, const Footprint &F) {
  Range R = rangeOf(P, F);
  if (R.Known)
    return R.Low >= 0;
  return std::all_of(P.Terms.begin(), P.Terms.end(), [&](const Monomial &M) {
    return M.Coefficient >= 0 &&
           std::all_of(M.Factors.begin(), M.Factors.end(),
                       [&](uint16_t S) { return factorNonNegative(S, F); });
  });
}

/// The highest value of threadIdx or blockIdx as a polynomial: the size - 1.
/// None where the size is no symbol of F.
static CheckedPolynomial highestOf(const Symbol &S, const Footprint &F) {
  SymbolKind Size = S.Kind == SymbolKind::ThreadIdx ? SymbolKind::BlockDim
                                                    : SymbolKind::GridDim;
  for (size_t I = 0; I < F.Symbols.size(); ++I)
    if (F.Symbols[I].Kind == Size && F.Symbols[I].Dimension == S.Dimension)
      return symbolPolynomial(static_cast<uint16_t>(I)) - 1;
  return NoPolynomial();
}

/// P with index Symbol put to its highest value in the terms that fall with
/// it and to 0 in those that grow: nowhere above P. None where that cannot be
/// told.
static CheckedPolynomial lowered(const Polynomial &P, const Footprint &F,
                                 uint16_t Symbol,
                                 const CheckedPolynomial &Highest) {
  CheckedPolynomial Sum = 0;
  for (const Monomial &M : P.Terms) {
    auto Count = std::count(M.Factors.begin(), M.Factors.end(), Symbol);
    Monomial Rest = M;
    std::erase(Rest.Factors, Symbol);
    if (Count == 0)
      Sum += Polynomial{{Rest}};
    else if (Count > 1 ||
             !std::all_of(Rest.Factors.begin(), Rest.Factors.end(),
                          [&](uint16_t S) { return factorNonNegative(S, F); }))
      return NoPolynomial();
    else if (M.Coefficient <= 0)
      Sum += Polynomial{{Rest}} * Highest;
  }
  return Sum;
}

bool provablyNonNegative(const Polynomial &P, const Footprint &F) {
  if (plainlyNonNegative(P, F))
    return true;
  Polynomial Lowest = P;
  for (size_t I = 0; I < F.Symbols.size(); ++I) {
    uint16_t Index = static_cast<uint16_t>(I);
    if ((F.Symbols[I].Kind != SymbolKind::ThreadIdx &&
         F.Symbols[I].Kind != SymbolKind::BlockIdx) ||
        std::none_of(
            Lowest.Terms.begin(), Lowest.Terms.end(), [&](const Monomial &M) {
              return M.Coefficient < 0 &&
                     std::count(M.Factors.begin(), M.Factors.end(), Index) != 0;
            }))
      continue;
    lowered(Lowest, F, Index, highestOf(F.Symbols[I], F)).moveTo(Lowest);
  }
  return plainlyNonNegative(Lowest, F);
}

bool provablyNonNegative(const CheckedPolynomial &P, const Footprint &F) {
  return P && provablyNonNegative(*P, F);
}

bool hasAssumedRange(const Polynomial &P, const Footprint &F,
                     const Polynomial &Except) {
  auto IsConstant = [](const Polynomial &Bound) {
    return std::all_of(Bound.Terms.begin(), Bound.Terms.end(),
                       [](const Monomial &M) { return M.Factors.empty(); });
  };
  auto IsPositive = [&](const Polynomial &Divisor) {
    return provablyNonNegative(Divisor - 1, F) && !hasAssumedRange(Divisor, F);
  };
  return anySymbol(P, F, [&](const Symbol &S) {
    if (mentions(Except, F, S.Kind, S.Index))
      return false;
    return S.Kind == SymbolKind::Quotient
               ? !IsPositive(F.Quotients[S.Index].Denominator)
               : S.Kind == SymbolKind::Value &&
                     !(IsConstant(F.Values[S.Index].Low) &&
                       IsConstant(F.Values[S.Index].High));
  });
}

} // namespace blockmaestro
