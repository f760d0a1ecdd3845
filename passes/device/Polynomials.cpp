// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Polynomials.h"

#include <algorithm>

namespace blockmaestro {

namespace {

constexpr size_t MaxTerms = 4096;
constexpr __int128 RangeLimit = __int128(1) << 63;

bool lessFactors(const Monomial &A, const Monomial &B) {
  return A.Factors < B.Factors;
}

/// Sorts, joins equal factors, drops zeros.
std::optional<Polynomial> normalised(std::vector<Monomial> Terms) {
  std::sort(Terms.begin(), Terms.end(), lessFactors);
  Polynomial Sum;
  for (Monomial &M : Terms) {
    if (Sum.Terms.empty() || Sum.Terms.back().Factors != M.Factors)
      Sum.Terms.push_back(std::move(M));
    else if (__builtin_add_overflow(Sum.Terms.back().Coefficient, M.Coefficient,
                                    &Sum.Terms.back().Coefficient))
      return std::nullopt;
  }
  std::erase_if(Sum.Terms,
                [](const Monomial &M) { return M.Coefficient == 0; });
  if (Sum.Terms.size() > MaxTerms)
    return std::nullopt;
  return Sum;
}

std::optional<Monomial> product(const Monomial &A, const Monomial &B) {
  Monomial M;
  if (__builtin_mul_overflow(A.Coefficient, B.Coefficient, &M.Coefficient))
    return std::nullopt;
  std::merge(A.Factors.begin(), A.Factors.end(), B.Factors.begin(),
             B.Factors.end(), std::back_inserter(M.Factors));
  return M;
}

/// What a symbol can be in any launch; CUDA's limits on blocks and grids.
Range symbolRange(const Symbol &S) {
  constexpr __int128 MaxGrid = (__int128(1) << 31) - 1;
  switch (S.Kind) {
  case SymbolKind::ThreadIdx:
    return {0, 1023, true};
  case SymbolKind::BlockIdx:
    return {0, MaxGrid - 1, true};
  case SymbolKind::BlockDim:
    return {1, 1024, true};
  case SymbolKind::GridDim:
    return {1, MaxGrid, true};
  case SymbolKind::Counter:
    return {0, RangeLimit - 1, true};
  case SymbolKind::Power:
    return {1, __int128(1) << 62, true};
  case SymbolKind::Quotient:
  case SymbolKind::Value:
    return {};
  case SymbolKind::Argument:
    break;
  }
  unsigned Bits = S.Bytes * 8 - (S.Signed ? 1 : 0);
  __int128 High = (__int128(1) << Bits) - 1;
  return {S.Signed ? -High - 1 : 0, High, true};
}

Range limited(Range R) {
  R.Known = R.Known && R.Low >= -RangeLimit && R.High <= RangeLimit * 2;
  return R;
}

Range times(Range A, Range B) {
  if (!A.Known || !B.Known || A.High > RangeLimit || B.High > RangeLimit)
    return {};
  auto [Low, High] = std::minmax(
      {A.Low * B.Low, A.Low * B.High, A.High * B.Low, A.High * B.High});
  return limited({Low, High, true});
}

} // namespace

Polynomial constantPolynomial(int64_t Value) {
  Polynomial P;
  if (Value != 0)
    P.Terms.push_back({Value, {}});
  return P;
}

Polynomial symbolPolynomial(uint16_t Symbol) {
  Polynomial P;
  P.Terms.push_back({1, {Symbol}});
  return P;
}

std::optional<Polynomial> add(const Polynomial &A, const Polynomial &B) {
  std::vector<Monomial> Terms = A.Terms;
  Terms.insert(Terms.end(), B.Terms.begin(), B.Terms.end());
  return normalised(std::move(Terms));
}

std::optional<Polynomial> multiply(const Polynomial &A, const Polynomial &B) {
  if (A.Terms.size() * B.Terms.size() > MaxTerms)
    return std::nullopt;
  std::vector<Monomial> Terms;
  for (const Monomial &X : A.Terms)
    for (const Monomial &Y : B.Terms) {
      std::optional<Monomial> M = product(X, Y);
      if (!M)
        return std::nullopt;
      Terms.push_back(std::move(*M));
    }
  return normalised(std::move(Terms));
}

std::optional<Polynomial> subtract(const Polynomial &A, const Polynomial &B) {
  std::optional<Polynomial> Minus = multiply(constantPolynomial(-1), B);
  return Minus ? add(A, *Minus) : std::nullopt;
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

bool equal(const Assumption &A, const Assumption &B) {
  return A.Bits == B.Bits && A.Signed == B.Signed && equal(A.Value, B.Value);
}

bool mentions(const Polynomial &P, const Footprint &F, unsigned Kinds) {
  for (const Monomial &M : P.Terms)
    for (uint16_t Factor : M.Factors)
      if (Kinds & (1u << static_cast<unsigned>(F.Symbols[Factor].Kind)))
        return true;
  return false;
}

bool mentionsCounter(const Polynomial &P, const Footprint &F,
                     unsigned Counter) {
  for (const Monomial &M : P.Terms)
    for (uint16_t Factor : M.Factors)
      if (F.Symbols[Factor].Kind == SymbolKind::Counter &&
          F.Symbols[Factor].Index == Counter)
        return true;
  return false;
}

Range rangeOf(const Polynomial &P, const Footprint &F) {
  Range Sum{0, 0, true};
  for (const Monomial &M : P.Terms) {
    Range Term{M.Coefficient, M.Coefficient, true};
    for (uint16_t Factor : M.Factors)
      Term = times(Term, symbolRange(F.Symbols[Factor]));
    if (!Term.Known)
      return {};
    Sum = limited({Sum.Low + Term.Low, Sum.High + Term.High, true});
    if (!Sum.Known)
      return {};
  }
  return Sum;
}

bool provablyNonNegative(const Polynomial &P, const Footprint &F) {
  constexpr unsigned MaybeNegative =
      1u << static_cast<unsigned>(SymbolKind::Argument) |
      1u << static_cast<unsigned>(SymbolKind::Quotient) |
      1u << static_cast<unsigned>(SymbolKind::Value);
  Range R = rangeOf(P, F);
  if (R.Known)
    return R.Low >= 0;
  return !mentions(P, F, MaybeNegative) &&
         std::all_of(P.Terms.begin(), P.Terms.end(),
                     [](const Monomial &M) { return M.Coefficient >= 0; });
}

bool provable(const Assumption &A, const Footprint &F) {
  Range R = rangeOf(A.Value, F);
  __int128 Half = __int128(1) << (A.Bits - 1);
  return R.Known && (A.Signed ? R.Low >= -Half && R.High < Half
                              : R.Low >= 0 && R.High < Half * 2);
}

void addAssumption(std::vector<Assumption> &To, Assumption A,
                   const Footprint &F) {
  auto Same = [&](const Assumption &B) { return equal(A, B); };
  if (!provable(A, F) && std::none_of(To.begin(), To.end(), Same))
    To.push_back(std::move(A));
}

} // namespace blockmaestro
