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
std::optional<Polynomial> SymbolTable::quotient(const Polynomial &Numerator,
                                                const Polynomial &Denominator,
                                                std::vector<Fact> &Needed) {
  if (mentions(Denominator, F, AtPoints) || Denominator.Terms.empty())
    return std::nullopt;
  Polynomial Rest = Numerator;
  std::optional<Polynomial> Whole = Polynomial();
  if (Denominator.Terms.size() == 1) {
    auto [Terms, Left] = split(Numerator, Denominator.Terms[0]);
    for (Monomial &M : Terms)
      Whole = Whole ? add(*Whole, single(std::move(M))) : Whole;
    Rest = std::move(Left);
  }
  if (Rest.Terms.empty())
    return Whole;
  std::optional<Polynomial> Room = subtract(Denominator, Rest);
  Room = Room ? add(*Room, constantPolynomial(-1)) : Room;
  if (!Whole || !Room)
    return std::nullopt;
  if (provablyNonNegative(Rest, F) && provablyNonNegative(*Room, F))
    return Whole;
  std::optional<Polynomial> Proper = properQuotient(Rest, Denominator, Needed);
  return Proper ? add(*Whole, *Proper) : std::nullopt;
}

/// P >= 1 at the launch.
void SymbolTable::needPositive(const Polynomial &P, std::vector<Fact> &Needed) {
  if (std::optional<Polynomial> Below = add(P, constantPolynomial(-1)))
    addFact(Needed, {*Below, 63, false}, F);
}

/// The quotient as a symbol, common factors and steps removed.
std::optional<Polynomial>
SymbolTable::properQuotient(const Polynomial &Numerator,
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
      if (auto Both = multiply(Inner.Denominator, Q.Denominator)) {
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
      return std::nullopt;
    F.Quotients.push_back(std::move(Q));
  }
  return symbol(listed(SymbolKind::Quotient, At));
}

std::optional<Polynomial> SymbolTable::remainder(const Polynomial &Value,
                                                 const Polynomial &Denominator,
                                                 std::vector<Fact> &Needed) {
  std::optional<Polynomial> Times = quotient(Value, Denominator, Needed);
  Times = Times ? multiply(Denominator, *Times) : Times;
  return Times ? subtract(Value, *Times) : Times;
}

std::optional<Polynomial> SymbolTable::replaced(const Polynomial &P,
                                                uint16_t Symbol,
                                                const Polynomial &By,
                                                std::vector<Fact> &Needed) {
  const auto Old = F.Symbols[Symbol];
  std::optional<Polynomial> Sum = Polynomial();
  for (const Monomial &M : P.Terms) {
    std::optional<Polynomial> Term = constantPolynomial(M.Coefficient);
    for (uint16_t Factor : M.Factors) {
      const auto S = F.Symbols[Factor];
      std::optional<Polynomial> Next = symbolPolynomial(Factor);
      if (Factor == Symbol) {
        Next = By;
      } else if (S.Kind == SymbolKind::Quotient &&
                 mentions(F.Quotients[S.Index].Numerator, F, Old.Kind,
                          Old.Index)) {
        const Quotient Of = F.Quotients[S.Index];
        Next = replaced(Of.Numerator, Symbol, By, Needed);
        Next = Next ? quotient(*Next, Of.Denominator, Needed) : Next;
      }
      Term = Next ? multiply(*Term, *Next) : Next;
      if (!Term)
        return std::nullopt;
    }
    Sum = add(*Sum, *Term);
    if (!Sum)
      return std::nullopt;
  }
  return Sum;
}

std::optional<Polynomial> SymbolTable::power(const Polynomial &Exponent) {
  if (mentions(Exponent, F, AtPoints))
    return std::nullopt;
  Range R = rangeOf(Exponent, F);
  if (R.Known && R.Low == R.High && R.Low >= 0 && R.Low <= 62)
    return constantPolynomial(int64_t(1) << int64_t(R.Low));
  size_t At = 0;
  while (At < F.Powers.size() && !equal(F.Powers[At], Exponent))
    ++At;
  if (At == F.Powers.size()) {
    if (!hasRoomFor(Exponent, {}))
      return std::nullopt;
    F.Powers.push_back(Exponent);
  }
  return symbol(listed(SymbolKind::Power, At));
}

std::optional<Polynomial> SymbolTable::value(const ValueRange &Range) {
  if (!hasRoomFor(Range.Low, Range.High))
    return std::nullopt;
  F.Values.push_back(Range);
  return symbol(listed(SymbolKind::Value, F.Values.size() - 1));
}

} // namespace blockmaestro
