// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A polynomial that is computed: the normal form of sums and products, and the
// overflow that makes none of all that is computed from it.

#include "CheckedPolynomial.h"
#include "FootprintText.h"
#include "Polynomials.h"
#include "SymbolTable.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

namespace {

/// A footprint with threadIdx.x and an int argument.
class CheckedPolynomials : public testing::Test {
protected:
  CheckedPolynomials() {
    F.Symbols = {{SymbolKind::ThreadIdx, 0, 0, 0, 4, true},
                 {SymbolKind::Argument, 0, 0, 0, 4, true}};
  }

  std::string text(const CheckedPolynomial &P) {
    return P ? toText(*P, F) : "none";
  }

  Footprint F;
  const Polynomial Tx = symbolPolynomial(0), N = symbolPolynomial(1);
  const CheckedPolynomial None = NoPolynomial();
};

} // namespace

TEST_F(CheckedPolynomials, SumsAndProductsAreNormal) {
  EXPECT_EQ(text((Tx + 3) * (N + Tx)), "3*tx + tx*tx + tx*arg0 + 3*arg0");
  EXPECT_EQ(text(2 - Tx - N), text(-(N + Tx) + 2));
  EXPECT_TRUE((Tx * N - N * Tx)->Terms.empty());
  EXPECT_TRUE((0 * Tx)->Terms.empty());
}

TEST_F(CheckedPolynomials, AssignmentsAreTheOperations) {
  CheckedPolynomial P = Tx;
  EXPECT_EQ(text(P += N), text(Tx + N));
  EXPECT_EQ(text(P -= 5), text(Tx + N - 5));
  EXPECT_EQ(text(P *= P), text((Tx + N - 5) * (Tx + N - 5)));
}

TEST_F(CheckedPolynomials, OverflowIsNone) {
  EXPECT_FALSE(CheckedPolynomial(INT64_MAX) + 1);
  EXPECT_FALSE(CheckedPolynomial(INT64_MIN) - 1);
  EXPECT_FALSE(CheckedPolynomial(INT64_MIN) * -1);
  EXPECT_FALSE(-CheckedPolynomial(INT64_MIN));
  EXPECT_FALSE(INT64_MAX * Tx + Tx);
  EXPECT_TRUE(CheckedPolynomial(INT64_MAX) - INT64_MAX);
}

/// 4096 terms and 32 factors are the limit, here for the sums of symbols and
/// the powers of one.
TEST_F(CheckedPolynomials, LimitsAreNone) {
  CheckedPolynomial Sum = 0, Power = 1;
  for (uint16_t I = 0; I < 4096; ++I)
    Sum += symbolPolynomial(I);
  EXPECT_TRUE(Sum);
  EXPECT_FALSE(Sum + 1);
  EXPECT_FALSE(Sum * (Tx + N));
  for (int I = 0; I < 32; ++I)
    Power *= Tx;
  EXPECT_TRUE(Power);
  EXPECT_FALSE(Power * Tx);
}

/// None stays none, even where the other side would leave nothing of it.
TEST_F(CheckedPolynomials, NoneIsOfAllThatIsComputedFromIt) {
  for (const CheckedPolynomial &P :
       {None + Tx, Tx + None, None - Tx, Tx - None, None * Tx, Tx * None, -None,
        0 * None, None - None})
    EXPECT_FALSE(P);
  CheckedPolynomial Sum = INT64_MAX;
  Sum += 1;
  Sum += -1;
  EXPECT_FALSE(Sum);
}

TEST_F(CheckedPolynomials, OnlyAPolynomialIsPutSomewhere) {
  Polynomial To = Tx;
  EXPECT_FALSE((N + None).moveTo(To));
  EXPECT_TRUE(equal(To, Tx));
  EXPECT_TRUE((N + 1).moveTo(To));
  EXPECT_EQ(toText(To, F), "arg0 + 1");
}

TEST_F(CheckedPolynomials, NothingIsProvableOfNone) {
  EXPECT_TRUE(provablyNonNegative(Tx + 0, F));
  EXPECT_FALSE(provablyNonNegative(Tx - 1, F));
  EXPECT_FALSE(provablyNonNegative(None, F));
}

/// Nor does the table of symbols get one for it.
TEST_F(CheckedPolynomials, QuotientsAndReplacementsOfNoneAreNone) {
  SymbolTable Table(F);
  std::vector<Fact> Needed;
  EXPECT_FALSE(Table.quotient(None, N, Needed));
  EXPECT_FALSE(Table.quotient(Tx, None, Needed));
  EXPECT_FALSE(Table.remainder(None, N, Needed));
  EXPECT_FALSE(Table.replaced(None, 0, N, Needed));
  EXPECT_FALSE(Table.replaced(Tx, 0, None, Needed));
  EXPECT_TRUE(F.Quotients.empty() && Needed.empty());
}
