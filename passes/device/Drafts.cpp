// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Drafts.h"

#include "DomainSimplifier.h"
#include "KernelModel.h"
#include "Polynomials.h"

#include <algorithm>
#include <set>

// Note [Resting]
// What the conditions rest on must hold everywhere, or where those further out
// hold (see Note [Nested]): where it does not, the domain is not the one that
// the program has, and says nothing about itself. A constraint of the guard
// that is not in the domain any more, as others imply it, limits nothing. Where
// it holds, the points of the access are in the domain of one of its cases, and
// what the offset of that case rests on must hold there only: in "if (n > m *
// k) a[i - 3u]" no thread need have an index that fits, if the launch makes the
// condition false. A minimum chooses its case by numbers that rest on
// assumptions of the offset. There too each point is in the domain of some
// case, as its integers say, and that case assumes what these rest on; so it is
// the one that is widened where it fails.
// The range of a value rests on assumptions as well, and where one fails the
// value, and the domain with it, may seem to have no points. So constraints
// that use values, and those behind them, do not limit where an assumption must
// hold. With a divisor below 1 a quotient is no number either. Such a domain
// may be the one of the points even where it is proven to have none; what the
// offset rests on is then all that says so.

namespace blockmaestro {

/// The constraints of Domain in front of the first that uses a value or is not
/// among Known.
template <typename Predicate>
static Conjunction leading(const Conjunction &Domain, const Footprint &F,
                           Predicate Known) {
  return {Domain.begin(),
          std::find_if(Domain.begin(), Domain.end(), [&](const Constraint &C) {
            return mentions(C.Value, F, kindBit(SymbolKind::Value)) ||
                   !Known(C);
          })};
}

static bool hasAssumedRanges(const Conjunction &All, const Footprint &F) {
  return std::any_of(All.begin(), All.end(), [&](const Constraint &C) {
    return hasAssumedRange(C.Value, F);
  });
}

/// A fact that is needed under constraints of Domain, by their places there.
static Assumption placed(Fact From, const Conjunction &Domain) {
  Assumption Out{std::move(From.Value), From.Bits, From.Signed, {}};
  for (size_t I = 0; I < Domain.size(); ++I)
    if (From.Where.has(Domain[I]))
      Out.Under.push_back(static_cast<uint16_t>(I));
  return Out;
}

void setAssumptions(Draft &D, bool Never, const Footprint &F) {
  const Conjunction &Domain = D.Piece.Domain;
  std::vector<Fact> All;
  for (Fact Needed : D.OfConditions) {
    Needed.Where = FactScope(leading(
        Domain, F, [&](const Constraint &C) { return Needed.Where.has(C); }));
    addFact(All, std::move(Needed), F);
  }
  const FactScope Whole(
      leading(Domain, F, [](const Constraint &) { return true; }));
  if (!Never || hasAssumedRanges(Domain, F))
    for (Fact Needed : D.Own) {
      Needed.Where = Whole;
      addFact(All, std::move(Needed), F);
    }
  for (Fact &Each : All)
    D.Piece.Assumptions.push_back(placed(std::move(Each), Domain));
}

static bool sameClaim(const Assumption &A, const Assumption &B) {
  return A.Bits == B.Bits && A.Signed == B.Signed && equal(A.Value, B.Value);
}

static bool equal(const Assumption &A, const Assumption &B) {
  return sameClaim(A, B) && A.Under == B.Under;
}

/// Whether all that From assumes is assumed in To, wherever it is there.
template <typename T>
static bool assumesAll(const std::vector<T> &To, const std::vector<T> &From) {
  return std::all_of(From.begin(), From.end(), [&](const T &X) {
    return std::any_of(To.begin(), To.end(),
                       [&](const T &Y) { return equal(X, Y); });
  });
}

bool hasIndicesOf(const Access &A, const Polynomial &P, const Footprint &F) {
  constexpr unsigned Ranges =
      kindBit(SymbolKind::Counter) | kindBit(SymbolKind::Value);
  const std::set<uint16_t> Wanted = symbolsIn(P, F, Ranges);
  if (Wanted.empty())
    return true;
  std::set<uint16_t> There = symbolsIn(A.Offset, F, Ranges);
  for (const Constraint &C : A.Domain)
    There.merge(symbolsIn(C.Value, F, Ranges));
  return std::includes(There.begin(), There.end(), Wanted.begin(),
                       Wanted.end());
}

/// The constraints that A must hold under, of the access that has it.
static Conjunction under(const Assumption &A, const Access &Of) {
  Conjunction Out;
  for (uint16_t Place : A.Under)
    Out.push_back(Of.Domain[Place]);
  return Out;
}

/// Whether To is widened wherever From is.
static bool assumesWherever(const Access &To, const Access &From) {
  return std::all_of(From.Assumptions.begin(), From.Assumptions.end(),
                     [&](const Assumption &X) {
                       const FactScope There(under(X, From));
                       return std::any_of(
                           To.Assumptions.begin(), To.Assumptions.end(),
                           [&](const Assumption &Y) {
                             return sameClaim(X, Y) &&
                                    FactScope(under(Y, To)).covers(There);
                           });
                     });
}

void dropImpossible(std::vector<Draft> &Drafts, DomainSimplifier &Simplifier,
                    const Footprint &F) {
  for (size_t I = Drafts.size(); Drafts.size() > 1 && I-- > 0;) {
    const Draft &D = Drafts[I];
    if (D.Piece.How == Exactness::Allocation)
      continue;
    Access With = D.Piece;
    for (const Fact &A : D.OfConditions)
      if (!A.Signed && hasIndicesOf(D.Piece, A.Value, F))
        addConstraint(With.Domain, {A.Value, false});
    const bool Ranges =
        hasAssumedRanges(With.Domain, F) || contradicts(D.Piece.Domain);
    auto Rests = [&](const Draft &On) {
      return &On != &D && On.Piece.How != Exactness::Allocation &&
             assumesAll(On.OfConditions, D.OfConditions) &&
             (!Ranges || assumesWherever(On.Piece, D.Piece)) &&
             sameRoot(On.Piece.Base, D.Piece.Base);
    };
    if ((Ranges || With.Domain.size() > D.Piece.Domain.size()) &&
        std::any_of(Drafts.begin(), Drafts.end(), Rests) &&
        !Simplifier.simplify(With, F, Iterations::Any))
      Drafts.erase(Drafts.begin() + static_cast<ptrdiff_t>(I));
  }
}

template <typename T>
static bool sameList(const std::vector<T> &A, const std::vector<T> &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const T &X, const T &Y) { return equal(X, Y); });
}

/// Whether A and B touch the same bytes in every launch.
static bool sameBytes(const Access &A, const Access &B) {
  return A.Kind == B.Kind && sameRoot(A.Base, B.Base) &&
         A.ElementBytes == B.ElementBytes && A.How == B.How &&
         equal(A.Offset, B.Offset) && sameList(A.Domain, B.Domain) &&
         sameList(A.Assumptions, B.Assumptions);
}

/// Whether B touches nothing that A does not, in every launch.
static bool covers(const Access &A, const Access &B) {
  if (A.How != Exactness::Exact || B.How != Exactness::Bounded ||
      A.Kind != B.Kind || !equal(A.Offset, B.Offset))
    return false;
  Access Same = B;
  Same.How = A.How;
  Same.Assumptions = A.Assumptions;
  return sameBytes(A, Same) && assumesAll(A.Assumptions, B.Assumptions);
}

void addAccess(std::vector<Access> &To, Access A) {
  for (const Access &Other : To)
    if (sameBytes(A, Other) || covers(Other, A))
      return;
  std::erase_if(To, [&](const Access &Other) { return covers(A, Other); });
  To.push_back(std::move(A));
}

} // namespace blockmaestro
