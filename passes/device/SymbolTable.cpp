// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SymbolTable.h"

#include "Limits.h"
#include "Polynomials.h"

#include <algorithm>
#include <numeric>

// Note [Quotients]
// Let d >= 1 be a single product of symbols. floor((d*a + r) / d) is
// a + floor(r / d), so the terms of the numerator that d divides leave the
// quotient; what is left is zero where 0 <= r < d is known, as for
// threadIdx.x / blockDim.x. A common factor c >= 1 of both sides goes:
// floor((c*a) / (c*b)) is floor(a / b). Where the numerator is a single other
// quotient, floor(floor(a / b) / d) is floor(a / (b*d)) for b, d >= 1. So
// dividing a linear index in several steps, in either order, gives the same
// symbols. All this needs d >= 1, which a launch checks for every quotient that
// is left; where none is left it is known, as 0 <= r < d is, or an assumption
// says it.

// Note [Written out]
// What a quotient, a power or a value is made of is walked wherever it is
// asked what is in it or how large it can be, and written out in dumps. In "x =
// x * a ^ x >> 15", again and again, each is made of two of the one before, so
// that would be as many steps as 2 to the number of repetitions. So what is
// larger than MaxWritten written out does not become a symbol: it is a value of
// which only the type is known.

namespace blockmaestro {

namespace {

bool sameSymbol(const Symbol &A, const Symbol &B) {
  return A.Kind == B.Kind && A.Dimension == B.Dimension && A.Index == B.Index &&
         A.Offset == B.Offset && A.Bytes == B.Bytes && A.Signed == B.Signed;
}

Symbol listed(SymbolKind Kind, size_t Index) {
  Symbol S;
  S.Kind = Kind;
  S.Index = static_cast<uint16_t>(Index);
  return S;
}

Polynomial single(Monomial M) {
  Polynomial P;
  P.Terms.push_back(std::move(M));
  return P;
}

/// The terms of P that Divisor divides, divided, and the others.
std::pair<std::vector<Monomial>, Polynomial> split(const Polynomial &P,
                                                   const Monomial &Divisor) {
  std::vector<Monomial> Whole;
  Polynomial Rest;
  for (const Monomial &M : P.Terms) {
    if (std::optional<Monomial> D = divided(M, Divisor))
      Whole.push_back(std::move(*D));
    else
      Rest.Terms.push_back(M);
  }
  return {std::move(Whole), std::move(Rest)};
}

/// The largest product that divides every term of both, of symbols that are
/// never below 1, with a positive coefficient.
Monomial commonFactor(const Polynomial &A, const Polynomial &B,
                      const Footprint &F) {
  Monomial Common;
  bool First = true;
  for (const Polynomial *P : {&A, &B})
    for (const Monomial &M : P->Terms) {
      std::vector<uint16_t> Shared;
      std::set_intersection(Common.Factors.begin(), Common.Factors.end(),
                            M.Factors.begin(), M.Factors.end(),
                            std::back_inserter(Shared));
      Common.Factors = First ? M.Factors : Shared;
      Common.Coefficient = std::gcd(Common.Coefficient, M.Coefficient);
      First = false;
    }
  std::erase_if(Common.Factors, [&](uint16_t Factor) {
    SymbolKind Kind = F.Symbols[Factor].Kind;
    return Kind != SymbolKind::BlockDim && Kind != SymbolKind::GridDim &&
           Kind != SymbolKind::Power;
  });
  return Common;
}

Polynomial dividedBy(const Polynomial &P, const Monomial &Divisor) {
  Polynomial Result;
  Result.Terms = split(P, Divisor).first;
  return Result;
}

} // namespace

uint16_t SymbolTable::index(const Symbol &S) {
  for (size_t I = 0; I < F.Symbols.size(); ++I)
    if (sameSymbol(F.Symbols[I], S))
      return static_cast<uint16_t>(I);
  F.Symbols.push_back(S);
  return static_cast<uint16_t>(F.Symbols.size() - 1);
}

/// How many symbols P has, all that they stand for included; see Note [Written
/// out].
size_t SymbolTable::written(const Polynomial &P) {
  for (size_t I = Written.size(); I < F.Symbols.size(); ++I) {
    const Symbol &S = F.Symbols[I];
    Written.push_back(1);
    if (S.Kind == SymbolKind::Quotient)
      Written[I] += written(F.Quotients[S.Index].Numerator) +
                    written(F.Quotients[S.Index].Denominator);
    else if (S.Kind == SymbolKind::Power)
      Written[I] += written(F.Powers[S.Index]);
    else if (S.Kind == SymbolKind::Value)
      Written[I] +=
          written(F.Values[S.Index].Low) + written(F.Values[S.Index].High);
  }
  size_t Sum = 0;
  for (const Monomial &M : P.Terms)
    for (uint16_t Factor : M.Factors)
      Sum += Written[Factor];
  return Sum;
}

/// Whether there may be a symbol made of A and B.
bool SymbolTable::hasRoomFor(const Polynomial &A, const Polynomial &B) {
  return F.Symbols.size() < MaxSymbols && written(A) + written(B) <= MaxWritten;
}

Polynomial SymbolTable::symbol(const Symbol &S) {
  return symbolPolynomial(index(S));
}

Polynomial SymbolTable::counter(unsigned Loop) {
  return symbol(listed(SymbolKind::Counter, Loop));
}

/// See Note [Quotients].
CheckedPolynomial SymbolTable::quotient(const CheckedPolynomial &Numerator,
                                        const CheckedPolynomial &Denominator,
                                        std::vector<Fact> &Needed) {
  if (!Numerator || !Denominator || mentions(*Denominator, F, AtPoints) ||
      Denominator->Terms.empty())
    return NoPolynomial();
  Polynomial Rest = *Numerator;
  CheckedPolynomial Whole = 0;
  if (Denominator->Terms.size() == 1) {
    auto [Terms, Left] = split(*Numerator, Denominator->Terms[0]);
    for (Monomial &M : Terms)
      Whole += single(std::move(M));
    Rest = std::move(Left);
  }
  if (Rest.Terms.empty())
    return Whole;
  const CheckedPolynomial Room = Denominator - Rest - 1;
  if (!Whole || !Room)
    return NoPolynomial();
  if (provablyNonNegative(Rest, F) && provablyNonNegative(Room, F))
    return Whole;
  return Whole + properQuotient(Rest, *Denominator, Needed);
}

/// P >= 1 at the launch.
void SymbolTable::needPositive(const Polynomial &P, std::vector<Fact> &Needed) {
  if (const CheckedPolynomial Below = P - 1)
    addFact(Needed, {*Below, 63, false}, F);
}

/// The quotient as a symbol, common factors and steps removed.
CheckedPolynomial SymbolTable::properQuotient(const Polynomial &Numerator,
                                              const Polynomial &Denominator,
                                              std::vector<Fact> &Needed) {
  Quotient Q{Numerator, Denominator};
  Monomial Common = commonFactor(Numerator, Denominator, F);
  if (Common.Coefficient != 1 || !Common.Factors.empty())
    Q = {dividedBy(Numerator, Common), dividedBy(Denominator, Common)};
  if (Q.Numerator.Terms.size() == 1 && Q.Numerator.Terms[0].Coefficient == 1 &&
      Q.Numerator.Terms[0].Factors.size() == 1) {
    const Symbol &Only = F.Symbols[Q.Numerator.Terms[0].Factors[0]];
    if (Only.Kind == SymbolKind::Quotient) {
      const Quotient &Inner = F.Quotients[Only.Index];
      if (const CheckedPolynomial Both = Inner.Denominator * Q.Denominator) {
        needPositive(Q.Denominator, Needed);
        Q = {Inner.Numerator, *Both};
      }
    }
  }
  size_t At = 0;
  while (At < F.Quotients.size() &&
         !(equal(F.Quotients[At].Numerator, Q.Numerator) &&
           equal(F.Quotients[At].Denominator, Q.Denominator)))
    ++At;
  if (At == F.Quotients.size()) {
    if (!hasRoomFor(Q.Numerator, Q.Denominator))
      return NoPolynomial();
    F.Quotients.push_back(std::move(Q));
  }
  return symbol(listed(SymbolKind::Quotient, At));
}

CheckedPolynomial SymbolTable::remainder(const CheckedPolynomial &Value,
                                         const CheckedPolynomial &Denominator,
                                         std::vector<Fact> &Needed) {
  return Value - Denominator * quotient(Value, Denominator, Needed);
}

CheckedPolynomial SymbolTable::replaced(const CheckedPolynomial &P,
                                        uint16_t Symbol,
                                        const CheckedPolynomial &By,
                                        std::vector<Fact> &Needed) {
  if (!P || !By)
    return NoPolynomial();
  const auto Old = F.Symbols[Symbol];
  CheckedPolynomial Sum = 0;
  for (const Monomial &M : P->Terms) {
    CheckedPolynomial Term = M.Coefficient;
    for (uint16_t Factor : M.Factors) {
      const auto S = F.Symbols[Factor];
      if (Factor == Symbol) {
        Term *= By;
      } else if (S.Kind == SymbolKind::Quotient &&
                 mentions(F.Quotients[S.Index].Numerator, F, Old.Kind,
                          Old.Index)) {
        const Quotient Of = F.Quotients[S.Index];
        Term *= quotient(replaced(Of.Numerator, Symbol, By, Needed),
                         Of.Denominator, Needed);
      } else {
        Term *= symbolPolynomial(Factor);
      }
      if (!Term)
        return Term;
    }
    if (!(Sum += std::move(Term)))
      return Sum;
  }
  return Sum;
}

CheckedPolynomial SymbolTable::power(const Polynomial &Exponent) {
  if (mentions(Exponent, F, AtPoints))
    return NoPolynomial();
  Range R = rangeOf(Exponent, F);
  if (R.Known && R.Low == R.High && R.Low >= 0 && R.Low <= 62)
    return int64_t(1) << int64_t(R.Low);
  size_t At = 0;
  while (At < F.Powers.size() && !equal(F.Powers[At], Exponent))
    ++At;
  if (At == F.Powers.size()) {
    if (!hasRoomFor(Exponent, {}))
      return NoPolynomial();
    F.Powers.push_back(Exponent);
  }
  return symbol(listed(SymbolKind::Power, At));
}

CheckedPolynomial SymbolTable::value(const ValueRange &Range) {
  if (!hasRoomFor(Range.Low, Range.High))
    return NoPolynomial();
  F.Values.push_back(Range);
  return symbol(listed(SymbolKind::Value, F.Values.size() - 1));
}

} // namespace blockmaestro
