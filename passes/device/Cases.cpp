// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cases.h"

#include "Polynomials.h"

#include <algorithm>
#include <numeric>

// Note [Pieces]
// An access in several pieces is the union of them, so pieces may overlap. Two
// kinds of assumption are kept apart. One that a condition rests on decides
// which piece a point belongs to: every piece must carry it, for where it fails
// any piece may be the wrong one. One that a value rests on matters only where
// its piece applies: only that piece carries it, and where it fails that piece
// alone is widened. A piece whose conditions exclude each other is dropped, and
// Pruned says so: it may be the one that applies where an assumption of its
// conditions fails, so these must then stay with the rest, and with every root
// that has no piece left (see Note [Building]).

// Note [Nested]
// Of "a and b", where a is false b does not matter, and what b rests on need
// not hold. That a is false the program and the integers agree on, if what a
// rests on holds: so that must not depend on b, and does not. "if (i < n) if (m
// - 3u * blockIdx.x > k)" needs a difference that fits only in blocks that have
// an i below n. Where a has alternatives, what they all begin with counts.

namespace blockmaestro {

namespace {

/// Whether Inner says all that Outer says.
bool implies(const Conjunction &Inner, const Conjunction &Outer) {
  return std::all_of(Outer.begin(), Outer.end(),
                     [&](const Constraint &C) { return contains(Inner, C); });
}

/// A and B cannot both hold: their sum is below zero, whatever they are.
bool exclude(const Constraint &A, const Constraint &B) {
  const size_t Long = std::max(A.Value.Terms.size(), B.Value.Terms.size());
  const size_t Short = std::min(A.Value.Terms.size(), B.Value.Terms.size());
  if (Long > Short + 1)
    return false;
  const CheckedPolynomial Sum = A.Value + B.Value;
  return Sum && Sum->Terms.size() == 1 && Sum->Terms[0].Factors.empty() &&
         Sum->Terms[0].Coefficient < 0;
}

} // namespace

bool contradicts(const Conjunction &All) {
  for (size_t I = 0; I < All.size(); ++I) {
    const Polynomial &P = All[I].Value;
    if (P.Terms.size() == 1 && P.Terms[0].Factors.empty() &&
        (P.Terms[0].Coefficient < 0 || All[I].Equality))
      return true;
    for (size_t J = 0; J < I; ++J)
      if (exclude(All[I], All[J]))
        return true;
  }
  return false;
}

namespace {

/// Adds one alternative unless it is empty or inside another.
void addAlternative(Condition &To, Conjunction All) {
  if (contradicts(All)) {
    To.Pruned = true;
    return;
  }
  for (const Conjunction &Other : To.Any)
    if (implies(All, Other))
      return;
  std::erase_if(To.Any,
                [&](const Conjunction &Other) { return implies(Other, All); });
  To.Any.push_back(std::move(All));
}

void addFacts(Condition &To, const Condition &From, const Footprint &F) {
  addEverywhere(To.Assumptions, From.Assumptions, F);
  To.Pruned |= From.Pruned;
  if (!To.Inexact)
    To.Inexact = From.Inexact;
}

} // namespace

/// C divided by what divides all its coefficients but the constant, which is
/// rounded down.
static Constraint reduced(Constraint C) {
  int64_t Common = 0;
  for (const Monomial &M : C.Value.Terms)
    if (!M.Factors.empty())
      Common = std::gcd(Common, M.Coefficient);
  if (Common < 2)
    return C;
  for (const Monomial &M : C.Value.Terms)
    if (C.Equality && M.Coefficient % Common != 0)
      return C;
  for (Monomial &M : C.Value.Terms) {
    bool Down = M.Coefficient % Common < 0;
    M.Coefficient = M.Coefficient / Common - Down;
  }
  std::erase_if(C.Value.Terms,
                [](const Monomial &M) { return M.Coefficient == 0; });
  return C;
}

void addConstraint(Conjunction &To, const Constraint &C) {
  Constraint Short = reduced(C);
  if (!contains(To, Short))
    To.push_back(std::move(Short));
}

Condition unknownCondition(const Rejection &Why) {
  Condition Result;
  Result.Inexact = Why;
  return Result;
}

Conjunction sharedBy(const std::vector<Conjunction> &Any) {
  if (Any.empty())
    return {};
  Conjunction Shared = Any[0];
  std::erase_if(Shared, [&](const Constraint &C) {
    return !std::all_of(Any.begin(), Any.end(), [&](const Conjunction &All) {
      return contains(All, C);
    });
  });
  return Shared;
}

/// What is not negative where C does not hold; Up: of an equality, where its
/// value is positive.
static CheckedPolynomial opposite(const Constraint &C, bool Up) {
  return Up ? C.Value - 1 : -1 - C.Value;
}

Condition negated(const Condition &A, const Footprint &F) {
  Condition Result;
  addFacts(Result, A, F);
  for (const Conjunction &All : A.Any) {
    Condition One;
    One.Any.clear();
    for (const Constraint &C : All)
      for (bool Up : {false, true}) {
        if (Up && !C.Equality)
          continue;
        const CheckedPolynomial Not = opposite(C, Up);
        if (!Not)
          return unknownCondition({ReasonKind::GuardNotPolynomial, ""});
        Conjunction Alone;
        addConstraint(Alone, {*Not, false});
        addAlternative(One, std::move(Alone));
      }
    Result = both(std::move(Result), std::move(One), F);
  }
  return Result;
}

Conjunction sharedFirst(const std::vector<Conjunction> &Any) {
  Conjunction Shared = Any.empty() ? Conjunction() : Any[0];
  for (const Conjunction &All : Any)
    Shared.erase(std::mismatch(Shared.begin(), Shared.end(), All.begin(),
                               All.end(),
                               [](const Constraint &C, const Constraint &D) {
                                 return equal(C, D);
                               })
                     .first,
                 Shared.end());
  return Shared;
}

namespace {

/// Adds what B rests on to To, of which A is the outer part. See Note [Nested].
void addNested(Condition &To, const Condition &A, const Condition &B,
               const Footprint &F) {
  const Conjunction Outer = sharedFirst(A.Any);
  for (Fact Needed : B.Assumptions) {
    const FactScope Own =
        A.Any.size() == 1 ? std::move(Needed.Where) : FactScope();
    Needed.Where = Own.inside(Outer);
    addFact(To.Assumptions, std::move(Needed), F);
  }
}

} // namespace

Condition both(Condition A, Condition B, const Footprint &F) {
  Condition Result;
  Result.Inexact = A.Inexact ? A.Inexact : B.Inexact;
  Result.Pruned = A.Pruned || B.Pruned;
  Result.Assumptions = A.Assumptions;
  if (A.Any.size() * B.Any.size() > MaxAlternatives) {
    Condition &Larger = A.Any.size() > B.Any.size() ? A : B;
    Larger.Any = {sharedBy(Larger.Any)};
    if (!Result.Inexact)
      Result.Inexact = Rejection{ReasonKind::CasesTooMany, ""};
  }
  addNested(Result, A, B, F);
  Result.Any.clear();
  for (const Conjunction &X : A.Any)
    for (const Conjunction &Y : B.Any) {
      Conjunction All = X;
      for (const Constraint &C : Y)
        addConstraint(All, C);
      addAlternative(Result, std::move(All));
    }
  return Result;
}

Condition either(Condition A, Condition B, const Footprint &F) {
  Condition Result;
  Result.Any = std::move(A.Any);
  addFacts(Result, A, F);
  addFacts(Result, B, F);
  for (Conjunction &All : B.Any)
    addAlternative(Result, std::move(All));
  if (Result.Any.size() > MaxAlternatives) {
    Result.Any = {sharedBy(Result.Any)};
    if (!Result.Inexact)
      Result.Inexact = Rejection{ReasonKind::CasesTooMany, ""};
  }
  return Result;
}

size_t sizeOf(const Condition &C) {
  size_t Sum = C.Assumptions.size();
  for (const Conjunction &All : C.Any)
    Sum += All.size();
  return Sum;
}

size_t sizeOf(const Translation &T) {
  size_t Sum = T.Assumptions.size();
  for (const Case &One : T.Cases)
    Sum += One.Assumptions.size() + One.Where.size() + One.Value.Terms.size();
  return Sum;
}

Translation notKnown(ReasonKind Kind, const char *Detail) {
  Translation Result;
  Result.Why = {Kind, Detail};
  return Result;
}

Translation oneCase(Polynomial Value) {
  Translation Result;
  Result.Cases.push_back({{}, std::move(Value), {}});
  return Result;
}

void addCases(Translation &To, const Condition &When, const Translation &Other,
              const Footprint &F) {
  addEverywhere(To.Assumptions, When.Assumptions, F);
  addEverywhere(To.Assumptions, Other.Assumptions, F);
  To.Pruned |= When.Pruned || Other.Pruned;
  if (!To.Inexact)
    To.Inexact = When.Inexact ? When.Inexact : Other.Inexact;
  for (const Conjunction &All : When.Any)
    for (const Case &One : Other.Cases) {
      Case Next = One;
      Next.Where = All;
      for (const Constraint &C : One.Where)
        addConstraint(Next.Where, C);
      if (contradicts(Next.Where))
        To.Pruned = true;
      else
        To.Cases.push_back(std::move(Next));
    }
}

} // namespace blockmaestro
