// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where the assumptions of a finished case must hold, and which cases others
// do for.

#include "Drafts.h"

#include "DomainSimplifier.h"
#include "Polynomials.h"
#include "SymbolTable.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

namespace {

using Numbers = std::vector<unsigned>;

Numbers undersOf(const Draft &D) {
  Numbers All;
  for (const Assumption &A : D.Piece.Assumptions)
    All.push_back(unsigned(A.Under.size()));
  return All;
}

/// An access under tx < arg0, bx < arg0 and, from its loop, tx < Dx.
class Drafts : public testing::Test {
protected:
  Drafts() {
    D.Piece.How = Exactness::Exact;
    D.Guard = {below(Tx, N), below(Bx, N)};
    D.Piece.Domain = {below(Tx, N), below(Bx, N), below(Tx, Dx)};
    for (int Under : {0, 1, 2})
      D.OfConditions.push_back(
          {*(N - Under), 32, false,
           FactScope({D.Guard.begin(), D.Guard.begin() + Under})});
    D.Own = {{*(Tx - N), 32, false}};
  }

  Polynomial of(SymbolKind Kind) {
    Symbol S;
    S.Kind = Kind;
    return Table.symbol(S);
  }
  static Constraint below(const Polynomial &Small, const Polynomial &Large) {
    return {*(Large - Small - 1), false};
  }

  Footprint F;
  SymbolTable Table{F};
  Polynomial Tx = of(SymbolKind::ThreadIdx), Bx = of(SymbolKind::BlockIdx);
  Polynomial Dx = of(SymbolKind::BlockDim), N = of(SymbolKind::Argument);
  Draft D;
};

TEST_F(Drafts, OfConditionsUnderThoseBeforeAndOfTheOffsetUnderAll) {
  setAssumptions(D, false, F);
  EXPECT_EQ(undersOf(D), (Numbers{0, 1, 2, 3}));
}

TEST_F(Drafts, AConstraintThatIsGoneLimitsNothing) {
  D.Piece.Domain.erase(D.Piece.Domain.begin());
  setAssumptions(D, false, F);
  EXPECT_EQ(undersOf(D), (Numbers{0, 0, 1, 2}));
}

TEST_F(Drafts, ConstraintsOfOthersLimitWhatTheOffsetRestsOn) {
  for (Fact &Each : D.OfConditions)
    Each.Where = FactScope({below(Bx, Dx)});
  setAssumptions(D, false, F);
  EXPECT_EQ(undersOf(D), (Numbers{0, 0, 0, 3}));
}

/// The value's range may rest on what is asked.
TEST_F(Drafts, NothingIsLimitedByValues) {
  const Polynomial V = *Table.value({{}, N});
  D.Guard.insert(D.Guard.begin() + 1, below(V, Dx));
  D.Piece.Domain.insert(D.Piece.Domain.begin() + 1, below(V, Dx));
  setAssumptions(D, false, F);
  EXPECT_EQ(undersOf(D), (Numbers{0, 1, 1, 1}));
}

TEST_F(Drafts, WhatNeverHappensHasNoOffset) {
  setAssumptions(D, true, F);
  EXPECT_EQ(undersOf(D), (Numbers{0, 1, 2}));
}

/// Where arg0 is below 1, tx / arg0 is no such quotient, and may be negative.
TEST_F(Drafts, WhatNeverHappensAsRangesSayRestsOnWhatTheyDo) {
  std::vector<Fact> None;
  const Polynomial Q = *Table.quotient(Tx, N, None);
  D.Piece.Domain = {below(Tx, N), below(Q, {})};
  setAssumptions(D, true, F);
  EXPECT_EQ(undersOf(D), (Numbers{0, 1, 1, 2}));
}

TEST_F(Drafts, ACaseThatRangesExcludeIsDroppedOnlyForOneThatRestsOnThem) {
  DomainSimplifier Simplifier;
  std::vector<Fact> None;
  const Polynomial Q = *Table.quotient(Tx, N, None);
  Draft Other = D;
  Other.Piece.Domain = {below(Q, {})};
  Other.Piece.Assumptions = {{N, 31, false}};
  D.Piece.Assumptions = {{N, 31, false, {0, 1, 2}}};
  std::vector<Draft> Both{Other, D};
  dropImpossible(Both, Simplifier, F);
  ASSERT_EQ(Both.size(), 2u) << "there it rests on it at fewer points";
  Both[1].Piece.Assumptions[0].Under.clear();
  dropImpossible(Both, Simplifier, F);
  ASSERT_EQ(Both.size(), 1u);
  EXPECT_EQ(Both[0].Piece.Domain.size(), 3u);
}

/// A fact keeps its constraints, whatever becomes of the domain's order.
TEST_F(Drafts, AFactIsNeededUnderItsOwnConstraintsWhereverTheyStand) {
  D.Own.clear();
  D.OfConditions = {{N, 32, false, FactScope({D.Guard[1]})}};
  std::swap(D.Piece.Domain[0], D.Piece.Domain[1]);
  setAssumptions(D, false, F);
  ASSERT_EQ(D.Piece.Assumptions.size(), 1u);
  EXPECT_EQ(D.Piece.Assumptions[0].Under, std::vector<uint16_t>{0});
  std::swap(D.Piece.Domain[0], D.Piece.Domain[1]);
  D.Piece.Assumptions.clear();
  setAssumptions(D, false, F);
  ASSERT_EQ(D.Piece.Assumptions.size(), 1u);
  EXPECT_TRUE(D.Piece.Assumptions[0].Under.empty());
}

TEST_F(Drafts, ScopesHaveAllPointsOfThoseInside) {
  const FactScope Everywhere, Outer({D.Guard[0]});
  const FactScope Both = FactScope({D.Guard[1]}).inside(D.Guard);
  EXPECT_TRUE(Everywhere.covers(Outer) && Outer.covers(Both));
  EXPECT_FALSE(Outer.covers(Everywhere) || Both.covers(Outer));
  EXPECT_EQ(Both.constraints().size(), 2u) << "what both say counts once";
  EXPECT_TRUE(FactScope(Conjunction()).isEverywhere());
}

/// Everywhere is at the other points too.
TEST_F(Drafts, TheSameAssumptionTwiceIsTheWiderOne) {
  D.Own = {{N, 32, false}};
  setAssumptions(D, false, F);
  EXPECT_EQ(undersOf(D), (Numbers{0, 1, 2}));
}

/// tx - arg0 >= 0 cannot be where tx < arg0. What the conditions rest on is in
/// the other case as well; what the offset rests on is checked nowhere else.
TEST_F(Drafts, OnlyWhatConditionsRestOnMakesACaseImpossible) {
  DomainSimplifier Simplifier;
  Draft Other = D;
  Other.Piece.Domain = {below(N, Tx)};
  std::vector<Draft> Both{Other, D};
  dropImpossible(Both, Simplifier, F);
  EXPECT_EQ(Both.size(), 2u);
  for (Draft &Each : Both)
    Each.OfConditions.push_back(Each.Own[0]);
  dropImpossible(Both, Simplifier, F);
  ASSERT_EQ(Both.size(), 1u);
  EXPECT_EQ(Both[0].Piece.Domain.size(), 1u);
}

/// Behind a loop of arg0 iterations, where there was none: nothing is assumed
/// of its counter there, or of a value below arg0, not that there is one.
TEST_F(Drafts, AnAssumptionDoesNotSayThatALoopRuns) {
  DomainSimplifier Simplifier;
  F.CounterExtents = {N};
  for (const Polynomial &I : {Table.counter(0), *Table.value({{}, *(N - 1)})}) {
    D.OfConditions = {{I, 32, false}};
    Draft Other = D;
    Other.Piece.Domain = {{*-N, false}};
    std::vector<Draft> Both{Other, D};
    dropImpossible(Both, Simplifier, F);
    EXPECT_EQ(Both.size(), 2u);
    Both[0].Piece.Offset = *(I - 1);
    dropImpossible(Both, Simplifier, F);
    const bool IsCounter = equal(I, Table.counter(0));
    EXPECT_EQ(Both.size(), IsCounter ? 2u : 1u)
        << "one that has the counter may be in the first iteration";
  }
}

TEST_F(Drafts, ACaseIsDroppedOnlyForOneThatRestsOnAsMuch) {
  DomainSimplifier Simplifier;
  Draft Other = D;
  Other.Piece.Domain = {below(N, Tx)};
  D.OfConditions.push_back(D.Own[0]);
  std::vector<Draft> Both{Other, D};
  dropImpossible(Both, Simplifier, F);
  EXPECT_EQ(Both.size(), 2u);
  Both[0].OfConditions = D.OfConditions;
  Both[0].Piece.How = Exactness::Allocation;
  dropImpossible(Both, Simplifier, F);
  EXPECT_EQ(Both.size(), 2u) << "an allocation rests on nothing";
}

} // namespace
