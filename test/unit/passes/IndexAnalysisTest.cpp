// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The parts of the index analysis that need no IR: quotients and powers in
// their simplest form, what is provably not negative, conditions as
// alternatives, and their simplification.

#include "Cases.h"
#include "DomainSimplifier.h"
#include "FootprintText.h"
#include "Polynomials.h"
#include "SymbolTable.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

namespace {

Polynomial number(int64_t N) { return constantPolynomial(N); }

Polynomial operator+(const Polynomial &A, const Polynomial &B) {
  return *(CheckedPolynomial(A) + B);
}
Polynomial operator-(const Polynomial &A, const Polynomial &B) {
  return *(CheckedPolynomial(A) - B);
}
Polynomial operator*(const Polynomial &A, const Polynomial &B) {
  return *(CheckedPolynomial(A) * B);
}

/// A footprint with threadIdx.x and .y, blockIdx.x, blockDim.x and .y, one int
/// argument and one counter.
class Index : public testing::Test {
protected:
  Polynomial of(SymbolKind Kind, unsigned Dimension = 0) {
    Symbol S;
    S.Kind = Kind;
    S.Dimension = static_cast<uint8_t>(Dimension);
    return Table.symbol(S);
  }

  std::string divided(const Polynomial &A, const Polynomial &B) {
    Needed.clear();
    const CheckedPolynomial Q = Table.quotient(A, B, Needed);
    return Q ? toText(*Q, F) : "none";
  }

  std::string text(const Condition &C) {
    std::string Text;
    for (const Conjunction &All : C.Any) {
      Text += "[";
      for (const Constraint &One : All)
        Text += " " + toText(One.Value, F) + (One.Equality ? " = 0" : " >= 0");
      Text += " ]";
    }
    return Text;
  }

  Footprint F;
  SymbolTable Table{F};
  std::vector<Fact> Needed;
  Polynomial Tx = of(SymbolKind::ThreadIdx), Ty = of(SymbolKind::ThreadIdx, 1);
  Polynomial Bx = of(SymbolKind::BlockIdx);
  Polynomial Dx = of(SymbolKind::BlockDim), Dy = of(SymbolKind::BlockDim, 1);
  Polynomial N = of(SymbolKind::Argument);
  Polynomial I = Table.counter(0);
};

Condition atLeast(const Polynomial &A, const Polynomial &B) {
  Condition C;
  C.Any = {{}};
  addConstraint(C.Any[0], {A - B, false});
  return C;
}

} // namespace

TEST_F(Index, WholePartsLeaveTheQuotient) {
  EXPECT_EQ(divided(Dx * Bx + Tx, Dx), "bx");
  EXPECT_EQ(divided(number(32) * N + Tx, number(32)), "arg0 + floor(tx/32)");
  EXPECT_EQ(divided(Tx + Dx * Ty, Dx * Dy), "0");
  EXPECT_EQ(divided(Tx, Dx + number(1)), "0");
  EXPECT_EQ(divided(Tx - number(1), Dx), "floor((tx - 1)/Dx)");
  EXPECT_TRUE(Needed.empty());
}

TEST_F(Index, CommonFactorsGo) {
  EXPECT_EQ(divided(number(4) * Tx + number(8), number(12)),
            "floor((tx + 2)/3)");
  EXPECT_EQ(divided(Dx * N, Dx * number(16)), "floor(arg0/16)");
  EXPECT_EQ(divided(N * Tx, N * number(2)), "floor((tx*arg0)/(2*arg0))")
      << "an argument may be negative";
}

TEST_F(Index, StepsOfADivisionAreOne) {
  Polynomial Once = *Table.quotient(Bx, N, Needed);
  Polynomial Twice = *Table.quotient(Once, Dx, Needed);
  Polynomial Other = *Table.quotient(Bx, N * Dx, Needed);
  EXPECT_TRUE(equal(Twice, Other));
  EXPECT_EQ(F.Quotients.size(), 2u);
  EXPECT_TRUE(Needed.empty());
}

TEST_F(Index, APositiveDivisorIsAssumedWhereNoQuotientSaysIt) {
  EXPECT_EQ(divided(N * Tx, N), "tx");
  EXPECT_TRUE(Needed.empty()) << "exact for any divisor but zero";
  Polynomial Once = *Table.quotient(Bx, Dx, Needed);
  EXPECT_EQ(divided(Once, N), "floor(bx/(Dx*arg0))");
  ASSERT_EQ(Needed.size(), 1u);
  EXPECT_TRUE(equal(Needed[0], {N - number(1), 63, false}));
}

TEST_F(Index, OnlyLaunchTimeDivisors) {
  EXPECT_EQ(divided(N, Tx), "none");
  EXPECT_EQ(divided(N, I + number(1)), "none");
  EXPECT_EQ(divided(N, number(0)), "none");
}

TEST_F(Index, RemaindersShareTheirQuotient) {
  Polynomial Rest = *Table.remainder(Bx, N, Needed);
  EXPECT_EQ(toText(Rest, F), "bx - arg0*floor(bx/arg0)");
  EXPECT_EQ(divided(Bx, N), "floor(bx/arg0)");
  EXPECT_EQ(F.Quotients.size(), 1u);
}

TEST_F(Index, Powers) {
  EXPECT_EQ(toText(*Table.power(number(5)), F), "32");
  EXPECT_EQ(toText(*Table.power(N), F), "2^(arg0)");
  EXPECT_TRUE(equal(*Table.power(N), *Table.power(N)));
  EXPECT_FALSE(Table.power(Tx));
  EXPECT_EQ(F.Powers.size(), 1u);
}

TEST_F(Index, ReplacingLooksIntoQuotients) {
  Polynomial Half = *Table.quotient(I + Tx, number(2), Needed);
  uint16_t Counter = I.Terms[0].Factors[0];
  EXPECT_EQ(toText(*Table.replaced(Half + I, Counter, number(0), Needed), F),
            "floor(tx/2)");
  EXPECT_EQ(toText(*Table.replaced(Half, Counter, I - number(2), Needed), F),
            "floor((tx + i0)/2) - 1");
  EXPECT_FALSE(replaced(Half, F, Counter, number(0)));
}

TEST_F(Index, RangesOfComputedSymbols) {
  Polynomial Warp = *Table.quotient(Tx, number(32), Needed);
  Range R = rangeOf(Warp, F);
  EXPECT_TRUE(R.Known);
  EXPECT_EQ(int64_t(R.Low), 0);
  EXPECT_EQ(int64_t(R.High), 31);
  R = rangeOf(*Table.quotient(Tx - number(1), number(32), Needed), F);
  EXPECT_EQ(int64_t(R.Low), -1);
  Polynomial V = *Table.value({number(-3), Tx + number(5)});
  R = rangeOf(V, F);
  EXPECT_EQ(int64_t(R.Low), -3);
  EXPECT_EQ(int64_t(R.High), 1028);
}

TEST_F(Index, IndicesStayBelowTheirSizes) {
  EXPECT_TRUE(provablyNonNegative(Dx - number(1) - Tx, F));
  EXPECT_TRUE(provablyNonNegative(Dx * Dy - number(1) - Tx - Dx * Ty, F));
  EXPECT_FALSE(provablyNonNegative(Dx - number(2) - Tx, F));
  EXPECT_FALSE(provablyNonNegative(Dx - number(1) - Ty, F));
  EXPECT_FALSE(provablyNonNegative(N * (Dx - number(1) - Tx), F));
}

TEST_F(Index, RangesThatRestOnAnAssumption) {
  auto By = [&](const Polynomial &D) { return *Table.quotient(I, D, Needed); };
  EXPECT_FALSE(hasAssumedRange(By(number(3)) + By(Dx) + Tx, F));
  EXPECT_TRUE(hasAssumedRange(By(N), F));
  EXPECT_TRUE(hasAssumedRange(*Table.quotient(By(N), number(3), Needed), F));
  Polynomial Parts = *Table.quotient(Dx, N, Needed) + number(1);
  EXPECT_TRUE(hasAssumedRange(By(Parts), F)) << "a divisor's own quotient";
  EXPECT_FALSE(hasAssumedRange(*Table.value({number(0), number(9)}), F));
  Polynomial V = *Table.value({number(0), N});
  EXPECT_TRUE(hasAssumedRange(V, F));
  EXPECT_FALSE(hasAssumedRange(V + Tx, F, V - number(1)));
}

TEST_F(Index, MentionsLooksIntoQuotientsAndRanges) {
  Polynomial Q = *Table.quotient(I, number(3), Needed);
  Polynomial V = *Table.value({number(0), Q});
  EXPECT_TRUE(mentionsCounter(V, F, 0));
  EXPECT_FALSE(mentionsCounter(V, F, 1));
  EXPECT_TRUE(mentions(V, F, kindBit(SymbolKind::Counter)));
  EXPECT_FALSE(mentions(Q, F, kindBit(SymbolKind::ThreadIdx)));
}

TEST_F(Index, WhatIsTooLargeWrittenOutIsNoSymbol) {
  Polynomial Last = Tx;
  size_t Steps = 0;
  for (; Steps < 100; ++Steps) {
    const Polynomial Next = Last + Last * Last + number(1);
    const CheckedPolynomial Q = Table.quotient(Next, N, Needed);
    if (!Q)
      break;
    Last = *Q;
  }
  EXPECT_GE(Steps, 3u);
  EXPECT_LE(Steps, 8u);
  EXPECT_FALSE(Table.value({{}, Last * Last * Last * Last}));
  EXPECT_TRUE(Table.value({{}, Tx}));
}

TEST_F(Index, ProductsOfTooManyFactorsAreNone) {
  Polynomial Power = Tx;
  for (int I = 0; I < 5; ++I)
    Power = Power * Power;
  EXPECT_FALSE(CheckedPolynomial(Power) * Tx);
}

TEST_F(Index, ConditionsJoin) {
  Condition Below = atLeast(N - number(1), Tx), Above = atLeast(Tx, N);
  Condition Two = either(Below, atLeast(Bx, number(1)), F);
  EXPECT_EQ(text(Two), "[ -tx + arg0 - 1 >= 0 ][ bx - 1 >= 0 ]");
  EXPECT_EQ(text(both(Two, Below, F)), "[ -tx + arg0 - 1 >= 0 ]")
      << "the second alternative is inside the first";
  EXPECT_EQ(text(both(Below, Above, F)), "") << "they exclude each other";
  EXPECT_TRUE(both(Below, Above, F).Pruned);
  EXPECT_TRUE(either(both(Below, Above, F), Two, F).Pruned);
  EXPECT_FALSE(Two.Pruned);
  EXPECT_EQ(text(either(Below, Condition(), F)), "[ ]");
}

TEST_F(Index, UnknownConditionsSayNothing) {
  Condition Unknown = unknownCondition({ReasonKind::GuardNotPolynomial, "x"});
  Condition Both = both(atLeast(N, Tx), Unknown, F);
  EXPECT_EQ(text(Both), "[ -tx + arg0 >= 0 ]");
  ASSERT_TRUE(Both.Inexact);
  EXPECT_EQ(Both.Inexact->Detail, "x");
  EXPECT_EQ(text(either(atLeast(N, Tx), Unknown, F)), "[ ]");
}

TEST_F(Index, TooManyAlternativesKeepWhatTheyShare) {
  Condition Many;
  Many.Any.clear();
  for (int64_t K = 0; K <= int64_t(MaxAlternatives); ++K) {
    Condition One = both(atLeast(N, number(7)), atLeast(Tx * number(K), Bx), F);
    Many = either(std::move(Many), std::move(One), F);
  }
  EXPECT_EQ(text(Many), "[ arg0 - 7 >= 0 ]");
  ASSERT_TRUE(Many.Inexact);
  EXPECT_EQ(Many.Inexact->Kind, ReasonKind::CasesTooMany);
}

TEST_F(Index, ConstraintsAreReduced) {
  Conjunction All;
  addConstraint(All, {number(4) * N - number(4) * Tx - number(1), false});
  addConstraint(All, {N - Tx - number(1), false});
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(toText(All[0].Value, F), "-tx + arg0 - 1");
  addConstraint(All, {number(4) * Tx - number(2), true});
  EXPECT_EQ(toText(All[1].Value, F), "4*tx - 2") << "never true, not rounded";
}

/// Of "a and b", where a does not hold what b rests on need not.
TEST_F(Index, WhatNestedConditionsRestOn) {
  auto Unders = [](const Condition &C) {
    std::vector<unsigned> All;
    for (const Fact &A : C.Assumptions)
      All.push_back(unsigned(A.Where.constraints().size()));
    return All;
  };
  using Numbers = std::vector<unsigned>;
  Condition A, B, C;
  A.Any = {{{N - Tx, false}}};
  A.Assumptions = {{N - Tx, 32, true}};
  B.Any = {{{N - Bx, false}, {N - Tx, false}}};
  B.Assumptions = {{N - Bx, 32, true}};
  C.Any = {{{Dx - Bx, false}}};
  C.Assumptions = {{Dx - N, 32, true}};
  EXPECT_EQ(Unders(both(A, B, F)), (Numbers{0, 1}));
  EXPECT_EQ(Unders(both(both(A, B, F), C, F)), (Numbers{0, 1, 2}));
  EXPECT_EQ(Unders(both(A, both(B, C, F), F)), (Numbers{0, 1, 2}))
      << "what both say counts once";
  EXPECT_EQ(Unders(either(both(A, B, F), C, F)), (Numbers{0, 0, 0}));
  Condition Two;
  Two.Any = {{{N - Tx, false}, {Bx, true}}, {{N - Tx, false}, {Tx, true}}};
  EXPECT_EQ(sharedFirst(Two.Any).size(), 1u);
  EXPECT_EQ(Unders(both(Two, both(B, C, F), F)), (Numbers{1, 1}));
  Two.Any.push_back({{Tx, true}});
  EXPECT_EQ(Unders(both(Two, C, F)), (Numbers{0}));
  Condition Never;
  Never.Any.clear();
  EXPECT_EQ(Unders(both(Never, C, F)), (Numbers{0}));
}

TEST_F(Index, CombiningCasesCombinesWhatTheyRestOn) {
  Translation A = oneCase(Tx), B = oneCase(Bx);
  A.Cases[0].Assumptions.push_back({N, 8, true});
  B.Cases.push_back({{{N, false}}, Dx, {{N, 16, true}}});
  auto Sum = [](const Polynomial &X, const Polynomial &Y,
                const Case & /*Out*/) { return CheckedPolynomial(X + Y); };
  Translation C = combine(A, B, F, Sum);
  ASSERT_EQ(C.Cases.size(), 2u);
  EXPECT_EQ(toText(C.Cases[0].Value, F), "tx + bx");
  EXPECT_EQ(C.Cases[0].Assumptions.size(), 1u);
  EXPECT_EQ(toText(C.Cases[1].Value, F), "tx + Dx");
  EXPECT_EQ(C.Cases[1].Assumptions.size(), 2u);
  EXPECT_EQ(C.Cases[1].Where.size(), 1u);
  Translation Failed = combine(A, notKnown(ReasonKind::IndexLoaded), F, Sum);
  EXPECT_TRUE(Failed.Cases.empty());
  EXPECT_EQ(Failed.Why.Kind, ReasonKind::IndexLoaded);
}

TEST_F(Index, DomainsLoseWhatTheyImply) {
  DomainSimplifier Simplifier;
  Access A;
  Polynomial Q = *Table.quotient(Tx, number(32), Needed);
  A.Domain = {{N - Tx - number(1), false},
              {N + number(5) - Tx, false},
              {Tx - number(32) * Q, false}};
  EXPECT_TRUE(Simplifier.simplify(A, F, Iterations::Applied));
  ASSERT_EQ(A.Domain.size(), 1u);
  EXPECT_EQ(toText(A.Domain[0].Value, F), "-tx + arg0 - 1");
  A.Domain = {{Tx - number(32) * Q - number(32), false}};
  EXPECT_FALSE(Simplifier.simplify(A, F, Iterations::Applied));
  Access Again;
  Again.Domain = {{Tx - number(32) * Q - number(32), false}};
  EXPECT_FALSE(Simplifier.simplify(Again, F, Iterations::Applied))
      << "the same the second time";
}

// A bound that differs from point to point does not end the counter.
TEST_F(Index, OnlyLaunchTimeExtentsBoundACounter) {
  DomainSimplifier Simplifier;
  Access A;
  F.CounterExtents = {N - Tx};
  A.Domain = {{N - Tx - I - number(1), false}};
  EXPECT_TRUE(Simplifier.simplify(A, F, Iterations::Applied));
  EXPECT_EQ(A.Domain.size(), 1u);
  F.CounterExtents = {N};
  Access B;
  B.Offset = I;
  B.Domain = {{N - I - number(1), false}};
  EXPECT_TRUE(Simplifier.simplify(B, F, Iterations::Applied));
  EXPECT_TRUE(B.Domain.empty());
  Access Unused;
  Unused.Domain = {{N - I - number(1), false}};
  EXPECT_TRUE(Simplifier.simplify(Unused, F, Iterations::Applied));
  EXPECT_EQ(Unused.Domain.size(), 1u) << "else nothing says that it runs";
}

// The first iteration of a loop runs where its extent is 0, until it is a
// domain of its own.
TEST_F(Index, ExtentsSayNothingOfFirstIterations) {
  DomainSimplifier Simplifier;
  F.CounterExtents = {N};
  Access A;
  A.Domain = {{number(5) - I, false}};
  EXPECT_FALSE(Simplifier.implies(A, N - number(1), F, Iterations::Any));
  EXPECT_TRUE(Simplifier.implies(A, N - number(1), F, Iterations::Applied));
  A.Domain = {{number(5) - I, false}, {number(0) - N, false}};
  EXPECT_FALSE(Simplifier.simplify(A, F, Iterations::Applied));
  EXPECT_TRUE(Simplifier.simplify(A, F, Iterations::Any));
}

TEST_F(Index, TheSmallestNumberIsNotAboveZero) {
  DomainSimplifier Simplifier;
  Access A;
  A.Domain = {{Tx - number(5), false}};
  EXPECT_FALSE(
      Simplifier.implies(A, number(INT64_MIN), F, Iterations::Applied));
  EXPECT_FALSE(
      Simplifier.implies(A, number(INT64_MIN) + Tx, F, Iterations::Applied));
  EXPECT_TRUE(
      Simplifier.implies(A, number(INT64_MAX) - Tx, F, Iterations::Applied));
}

// Only a counter that the domain has is one of a loop that runs.
TEST_F(Index, WhatIsAskedSaysNotThatALoopRuns) {
  DomainSimplifier Simplifier;
  F.CounterExtents = {N};
  Access A;
  A.Domain = {{number(0) - N, false}};
  EXPECT_FALSE(Simplifier.implies(A, Tx - I, F, Iterations::Applied));
}
